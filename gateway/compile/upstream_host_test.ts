import assert from "node:assert/strict";
import { upstreamHost } from "./upstream_host.ts";

Deno.test("without a backend host the caller's own goes on, with the port if it named one", () => {
  for (const empty of [null, "", "*"]) {
    assert.equal(upstreamHost(empty, "*")("a.example", "A.example:81"), "A.example:81");
  }
});

Deno.test("a backend host is sent as it is, port and all", () => {
  assert.equal(upstreamHost("b.example:8080", "*.example.com")("a", "a"), "b.example:8080");
});

Deno.test("a wildcard is what the frontend's wildcard stood for", () => {
  const host = (backend: string, frontend: string, called: string) =>
    upstreamHost(backend, frontend)(called, called);
  for (const backend of ["*.in.example:81", ".in.example:81"]) {
    assert.equal(host(backend, "*.example.com", "a.b.example.com"), "a.b.in.example:81");
    assert.equal(host(backend, ".example.com", "a.example.com"), "a.in.example:81");
    assert.equal(host(backend, ".Example.com:80", "example.com"), "in.example:81");
    assert.equal(host(backend, "*", "a.example"), "a.example.in.example:81");
    assert.equal(host(backend, "*", "[::1]"), "in.example:81");
    assert.equal(host(backend, "a.example", "a.example"), "in.example:81");
  }
});
