import assert from "node:assert/strict";
import { backendInput } from "@/gateway/records/backend.ts";
import { validate } from "@/gateway/records/validate.ts";
import { fieldLabel, fieldTitle } from "./field_labels.ts";

Deno.test("a field in a row is called by its row where it stands alone", () => {
  assert.equal(fieldLabel("servers[0].host"), "Host");
  assert.equal(fieldTitle("servers[0].host"), "Server 1: host");
  assert.equal(fieldTitle("settings.required_roles[2]"), "Required role 3");
  assert.equal(fieldTitle("settings.rate_limits[0].limit_by"), "Limit 1: counted by");
  assert.equal(fieldTitle("name"), "Name");
});

Deno.test("a field of the health check is called by it where it stands alone", () => {
  assert.equal(fieldLabel("health_check.path"), "Path");
  assert.equal(fieldTitle("health_check.path"), "Health check: path");
  assert.equal(
    fieldTitle("health_check.expected_statuses[1]"),
    "Health check: expected status 2",
  );
});

Deno.test("a field without a label is called by its path", () => {
  assert.equal(fieldTitle("settings.later"), "settings.later");
  assert.equal(fieldTitle("toString"), "toString");
});

Deno.test("every field of a backend has a label", () => {
  const header = [{ key: "a", value: "b" }];
  const backend = validate(backendInput, {
    name: "Any",
    servers: [{ host: "a", port: 1 }],
    backend_tls: {},
    health_check: { path: "/", expected_statuses: [200] },
    url_matches: [{ frontend_prefix: "/" }],
    settings: {
      require_https: "optional",
      disable_api_key: true,
      required_roles: ["a"],
      allowed_ips: ["::1"],
      rate_limit_mode: "custom",
      rate_limits: [{ duration: 1000, limit_by: "ip", limit: 1 }],
      disable_analytics: true,
      headers: header,
      default_response_headers: header,
      override_response_headers: header,
      connect_timeout_seconds: 1,
      read_timeout_seconds: 1,
      send_timeout_seconds: 1,
      total_timeout_seconds: 1,
      body_max_bytes: 1,
    },
  });
  for (const path of leafPaths(backend, "")) assert.notEqual(fieldLabel(path), path);
});

function leafPaths(value: unknown, path: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => leafPaths(item, `${path}[${index}]`));
  }
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, item]) =>
    leafPaths(item, path === "" ? name : `${path}.${name}`)
  );
}
