import assert from "node:assert/strict";
import { backendInput as schema } from "@/gateway/records/backend.ts";
import { fieldErrors } from "@/gateway/records/validate.ts";
import { type BackendForm, blankRows, newBackendForm } from "./backend_form.ts";
import { formErrors } from "./error_places.ts";
import { backendRecord } from "./form_record.ts";
import { noSettings, type SettingsForm } from "./settings/settings_form.ts";

const filled: BackendForm = {
  ...newBackendForm(),
  name: "Any",
  servers: [{ host: "a.example", port: "80" }],
  url_matches: [{ frontend_prefix: "/a/", backend_prefix: "" }],
};

/** Field and message of each error, in the order of the page. */
function errorsOf(form: BackendForm): [field: string | undefined, message: string][] {
  return formErrors(fieldErrors(schema, backendRecord(form)), form)
    .map(({ field, message }) => [field, message]);
}

function withSettings(settings: Partial<SettingsForm>): BackendForm {
  return { ...filled, settings: { ...noSettings, ...settings } };
}

Deno.test("of several errors of a field, the first is shown", () => {
  assert.deepEqual(errorsOf(newBackendForm()), [
    ["name", "can't be blank"],
    ["servers[0].host", "can't be blank"],
    ["url_matches[0].frontend_prefix", "can't be blank"],
  ]);
});

Deno.test("a number that is none is refused at its field, not silently dropped", () => {
  const [error] = errorsOf({ ...filled, servers: [{ host: "a.example", port: "http" }] });
  assert.equal(error?.[0], "servers[0].port");
  assert.match(error?.[1] ?? "", /must be a whole number/);
});

Deno.test("errors stand in the order of the page", () => {
  const form = withSettings({ allowed_ips: "home", body_max_bytes: "1 MB", cache_mode: "later" });
  const fields = errorsOf({
    ...form,
    health_check: { ...form.health_check, path: "health" },
    url_matches: [{ frontend_prefix: "", backend_prefix: "" }],
    sub_settings: [{ ...blankRows.sub_settings, regex: "(" }],
  }).map(([field]) => field);
  assert.deepEqual(fields, [
    "url_matches[0].frontend_prefix",
    "settings.allowed_ips",
    "settings.cache_mode",
    "sub_settings[0].regex",
    "health_check.path",
    "settings.body_max_bytes",
  ]);
});

Deno.test("where a URL is pasted for a host, the error says what of it to write", () => {
  const errors = new Map(errorsOf({
    ...filled,
    servers: [{ host: "http://127.0.0.1:18491/", port: "" }],
    backend_host: "https://api.example",
  }));
  assert.equal(
    errors.get("servers[0].host"),
    'must be in the format of "example.com", without “http://” and path: 127.0.0.1, ' +
      "and the port in its own field",
  );
  assert.match(errors.get("backend_host") ?? "", /, without “https:\/\/”: api\.example$/);
});

Deno.test("an error in a list names its item, at the field that holds the list", () => {
  const [error, ...others] = errorsOf(withSettings({ allowed_ips: "10.0.0.0/8\n10.0.0.300" }));
  assert.deepEqual(others, []);
  assert.equal(error?.[0], "settings.allowed_ips");
  assert.match(error?.[1] ?? "", /^“10\.0\.0\.300” must be an IP address/);
});

Deno.test("so it is in a sub-URL", () => {
  const settings = { ...noSettings, allowed_ips: "home" };
  const [error] = errorsOf({
    ...filled,
    sub_settings: [{ ...blankRows.sub_settings, regex: "^/a", settings }],
  });
  assert.equal(error?.[0], "sub_settings[0].settings.allowed_ips");
  assert.match(error?.[1] ?? "", /^“home”/);
});

Deno.test("expected statuses that are none are named, at the field that holds them", () => {
  const health_check = { ...filled.health_check, path: "/", expected_statuses: "200, 2xx, 700" };
  const field = "health_check.expected_statuses";
  assert.deepEqual(
    errorsOf({ ...filled, health_check }).map(([path, message]) => [path, message.slice(0, 5)]),
    [[field, "“2xx”"], [field, "“700”"]],
  );
});

Deno.test("an error in error data names its line", () => {
  const field = "settings.error_data";
  const [broken] = errorsOf(withSettings({ error_data: "common:\n  code: [1\n" }));
  assert.equal(broken?.[0], field);
  assert.match(broken?.[1] ?? "", /^is no YAML: .+ at line [23]/);
  const [bad] = errorsOf(
    withSettings({ error_data: "common:\n  code: A\napi_key_missing:\n  status_code: 9000\n" }),
  );
  assert.equal(bad?.[0], field);
  assert.match(bad?.[1] ?? "", /^has an error on line 4: “api_key_missing” holds a status_code/);
  const [list] = errorsOf(withSettings({ error_data: "- a" }));
  assert.match(list?.[1] ?? "", /^has an error on line 1: it must be an object/);
});
