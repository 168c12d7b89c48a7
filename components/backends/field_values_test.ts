import assert from "node:assert/strict";
import { changedValues, fieldValue } from "./field_values.ts";

Deno.test("values are told in words where a person would not say them as they are stored", () => {
  assert.equal(fieldValue("settings.disable_api_key", "true"), "Not required");
  assert.equal(fieldValue("settings.require_https", "required_return_error"), "Required");
  assert.equal(fieldValue("settings.rate_limit_mode", "custom"), "Custom limits");
  assert.equal(fieldValue("balance_algorithm", "least_conn"), "Least connections");
  assert.equal(fieldValue("settings.rate_limits[0].duration", "3600000"), "an hour");
  assert.equal(fieldValue("settings.rate_limits[0].duration", "120000"), "2 minutes");
  assert.equal(fieldValue("settings.rate_limits[1].limit_by", "ip"), "IP address");
  assert.equal(fieldValue("settings.rate_limits[1].response_headers", "false"), "no");
  assert.equal(fieldValue("settings.read_timeout_seconds", "2.5"), "2.5 s");
  assert.equal(fieldValue("settings.body_max_bytes", "1000"), "1000 bytes");
});

Deno.test("so are those of a sub-URL", () => {
  const path = "sub_settings[1].settings";
  assert.equal(fieldValue(`${path}.cors`, "true"), "Allowed");
  assert.equal(fieldValue(`${path}.required_roles_override`, "true"), "Replaced by those here");
  assert.equal(fieldValue(`${path}.required_roles_override`, "false"), "Needed as well");
  assert.equal(fieldValue(`${path}.quotas[0].period`, "month"), "Month (UTC)");
  assert.equal(fieldValue("rewrites[0].matcher_type", "regex"), "Regex");
});

Deno.test("of a secret is told that it is there or another, not what it is", () => {
  for (const path of ["settings.http_basic_auth", "sub_settings[0].settings.http_basic_auth"]) {
    assert.deepEqual(changedValues(path, null, "a:b"), { before: null, after: "set" });
    assert.deepEqual(changedValues(path, "a:b", "a:c"), { before: "set", after: "changed" });
    assert.equal(fieldValue(path, "a:b"), "set");
  }
});

Deno.test("every other value is told as it is", () => {
  assert.equal(fieldValue("servers[0].host", "true"), "true");
});

Deno.test("certificates are told by their number and by how the last one ends", () => {
  const pem = (end: string) =>
    `-----BEGIN CERTIFICATE-----\nAAAA\nBBBB${end}\n-----END CERTIFICATE-----\n`;
  assert.equal(fieldValue("backend_tls.ca", pem("one=")), "1 certificate, ending in BBBBone=");
  assert.equal(
    fieldValue("backend_tls.ca", pem("one=") + pem("two=")),
    "2 certificates, ending in BBBBtwo=",
  );
});
