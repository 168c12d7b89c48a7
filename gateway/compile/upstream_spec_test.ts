import assert from "node:assert/strict";
import { type BackendInput, backendInput } from "../records/backend.ts";
import { validate } from "../records/validate.ts";
import { upstreamSpec } from "./upstream_spec.ts";

function specOf(parts: Record<string, unknown>) {
  return upstreamSpec(backendOf(parts), 30_000);
}

function backendOf(parts: Record<string, unknown>): BackendInput {
  return validate(backendInput, {
    name: "Backend",
    servers: [{ host: "a.example", port: 443 }],
    url_matches: [{ frontend_prefix: "/", backend_prefix: "/" }],
    ...parts,
  });
}

Deno.test("a backend over http has no TLS, whatever was chosen for it", () => {
  assert.equal(specOf({}).tls, null);
  assert.equal(specOf({ backend_protocol: "http", backend_tls: { verify: false } }).tls, null);
});

Deno.test("over https certificates are verified unless the backend says otherwise", () => {
  const https = { backend_protocol: "https" };
  const usual = { verify: true, ca: null, serverName: null };
  assert.deepEqual(specOf(https).tls, usual);
  assert.deepEqual(specOf({ ...https, backend_tls: {} }).tls, usual);
  assert.deepEqual(specOf({ ...https, backend_tls: { ca: "", server_name: "" } }).tls, usual);
  assert.deepEqual(
    specOf({ ...https, backend_tls: { verify: false, server_name: "inner.example" } }).tls,
    { verify: false, ca: null, serverName: "inner.example" },
  );
});

Deno.test("a backend that was published before there were these choices goes on", () => {
  const { backend_tls: _tls, health_check: _check, ...old } = backendOf({
    backend_protocol: "https",
  });
  const { tls, healthCheck } = upstreamSpec(old as BackendInput, 30_000);
  assert.deepEqual(tls, { verify: true, ca: null, serverName: null });
  assert.equal(healthCheck, null);
});

Deno.test("checks are made in ms, with the defaults filled in", () => {
  assert.equal(specOf({}).healthCheck, null);
  assert.deepEqual(specOf({ health_check: { path: "/health" } }).healthCheck, {
    path: "/health",
    host: null,
    interval: 10_000,
    timeout: 5000,
    healthyAfter: 2,
    unhealthyAfter: 3,
    expectedStatuses: [],
  });
});

Deno.test("checks ask for the backend's host, else the frontend's, if it is one", () => {
  const hostOf = (hosts: Record<string, string | null>) =>
    specOf({ ...hosts, health_check: { path: "/" } }).healthCheck?.host;
  assert.equal(hostOf({ backend_host: "b.example", frontend_host: "f.example" }), "b.example");
  assert.equal(hostOf({ backend_host: null, frontend_host: "f.example" }), "f.example");
  assert.equal(hostOf({ backend_host: "*", frontend_host: "f.example" }), "f.example");
  assert.equal(hostOf({ backend_host: ".b.example", frontend_host: "*.f.example" }), null);
});
