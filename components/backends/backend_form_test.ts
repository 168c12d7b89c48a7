import assert from "node:assert/strict";
import { formIdentity, newBackendForm, readBackendForm } from "./backend_form.ts";

Deno.test("a form field is named as in the record", () => {
  const form = readBackendForm([
    ["name", " Weather "],
    ["servers[0].host", "10.0.0.5"],
    ["servers[0].port", "80x"],
    ["settings.rate_limits[0].duration", "60000"],
    ["settings.rate_limits[0].limit", "10"],
    ["settings.required_roles[0]", "a"],
    ["settings.required_roles[1]", "b"],
    ["settings.error_templates.json", "{}"],
    ["sub_settings[0].settings.headers[1].key", "X-A"],
  ]);
  assert.equal(form.name, " Weather ", "what was typed is kept to the letter");
  assert.deepEqual(form.servers, [{ host: "10.0.0.5", port: "80x" }]);
  assert.equal(form.settings.required_roles, "a\nb");
  assert.equal(form.settings.rate_limits[0]?.unit, "1", "without a unit, milliseconds");
  assert.equal(form.settings["error_templates.json"], "{}");
  assert.deepEqual(form.sub_settings[0]?.settings.headers, [{ key: "X-A", value: "" }]);
});

Deno.test("a new form has a row to fill in, and may come filled in", () => {
  assert.equal(newBackendForm().servers.length, 1);
  const form = newBackendForm(new URLSearchParams("name=A&servers[0].host=a.example"));
  assert.equal(form.name, "A");
  assert.deepEqual(form.servers, [{ host: "a.example", port: "" }]);
  assert.equal(form.url_matches.length, 1);
});

Deno.test("opening a sub-URL is no change", () => {
  const form = readBackendForm([["sub_settings[0].regex", "^/a"]]);
  const opened = readBackendForm([["sub_settings[0].regex", "^/a"], [
    "sub_settings[0].open",
    "true",
  ]]);
  assert.equal(formIdentity(form), formIdentity(opened));
  assert.notEqual(formIdentity(form), formIdentity(newBackendForm()));
});

Deno.test("of thousands of rows only so many are read that the backend is refused", () => {
  const names = [
    "servers[].host",
    "url_matches[].frontend_prefix",
    "sub_settings[].regex",
    "rewrites[].frontend_matcher",
  ];
  const { servers, url_matches, sub_settings, rewrites } = readBackendForm(
    names.flatMap((name) =>
      Array.from({ length: 5000 }, (_, n): [string, string] => [name.replace("[]", `[${n}]`), "x"])
    ),
  );
  for (const { length } of [servers, url_matches, sub_settings, rewrites]) {
    assert.ok(length > 256 && length < 1000);
  }
});
