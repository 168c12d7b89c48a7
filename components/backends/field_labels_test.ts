import assert from "node:assert/strict";
import fc from "fast-check";
import { backendInput } from "@/gateway/records/backend.ts";
import { validate } from "@/gateway/records/validate.ts";
import * as arbitrary from "./arbitrary_backend.ts";
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

Deno.test("a field of a sub-URL is called by it", () => {
  assert.equal(fieldTitle("sub_settings[1].regex"), "Sub-URL 2: regular expression");
  assert.equal(fieldTitle("sub_settings[1]"), "Sub-URL 2");
  const settings = "sub_settings[1].settings";
  assert.equal(fieldTitle(`${settings}.required_roles[0]`), "Sub-URL 2: required role 1");
  assert.equal(fieldTitle(`${settings}.headers[2].key`), "Sub-URL 2: request header 3: name");
  assert.equal(fieldTitle(`${settings}.require_https`), "Sub-URL 2: HTTPS");
});

Deno.test("error data is called by the refusal and the variable", () => {
  assert.equal(
    fieldTitle("settings.error_data.api_key_missing.message"),
    "Error data: api_key_missing, message",
  );
  assert.equal(fieldTitle("settings.error_templates.html"), "Refusals in HTML");
});

Deno.test("every field of a backend has a label", () => {
  fc.assert(fc.property(arbitrary.backend, (input) => {
    for (const path of leafPaths(validate(backendInput, input), "")) {
      assert.notEqual(fieldLabel(path), path);
      assert.notEqual(fieldTitle(path), path);
    }
  }));
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
