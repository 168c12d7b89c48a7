import assert from "node:assert/strict";
import { backendInput as schema } from "@/gateway/records/backend.ts";
import { fieldErrors, validate } from "@/gateway/records/validate.ts";
import { Authority } from "@/gateway/upstream/testing/authority.ts";
import { type BackendForm, backendForm, newBackendForm, readBackendForm } from "./backend_form.ts";
import { lineItems } from "./field_text.ts";
import { backendRecord, formErrors, withoutBlankRows } from "./form_input.ts";

const authority = new Authority("Authority");
const full = validate(schema, {
  name: "Weather",
  backend_protocol: "https",
  frontend_host: "api.example.gov",
  backend_host: "weather.example.gov",
  balance_algorithm: "round_robin",
  servers: [{ host: "10.0.0.5", port: 8443 }, { host: "10.0.0.6", port: 8443 }],
  backend_tls: { verify: false, ca: authority.cert, server_name: "inner.example.gov" },
  health_check: { path: "/health?deep=1", interval_seconds: 2.5, expected_statuses: [200, 503] },
  url_matches: [{ frontend_prefix: "/weather/", backend_prefix: "/v1/" }],
  settings: {
    require_https: "required_return_error",
    disable_api_key: true,
    required_roles: ["weather", "internal"],
    allowed_ips: ["10.0.0.0/8"],
    rate_limit_mode: "custom",
    rate_limits: [
      { duration: 7_200_000, limit_by: "api_key", limit: 1000, response_headers: true },
      { duration: 1_500, limit_by: "ip", limit: 5, response_headers: false },
    ],
    rate_limit_bucket_name: "shop",
    anonymous_rate_limit_behavior: "ip_only",
    authenticated_rate_limit_behavior: "api_key_only",
    disable_analytics: false,
    headers: [{ key: "X-Source", value: "a: b" }],
    default_response_headers: [{ key: "Cache-Control", value: "no-store" }],
    override_response_headers: [],
    connect_timeout_seconds: 2.5,
    total_timeout_seconds: 300,
    body_max_bytes: 1_000_000,
  },
});

Deno.test("a stored backend comes through its form unchanged", () => {
  assert.deepEqual(validate(schema, backendRecord(backendForm(full))), {
    ...full,
    settings: { ...full.settings, read_timeout_seconds: null, send_timeout_seconds: null },
  });
});

Deno.test("a form field is named as in the record", () => {
  const form = readBackendForm([
    ["name", " Weather "],
    ["servers[0].host", "10.0.0.5"],
    ["servers[0].port", "80x"],
    ["settings.rate_limits[0].duration", "60000"],
    ["settings.rate_limits[0].limit", "10"],
    ["settings.required_roles[0]", "a"],
    ["settings.required_roles[1]", "b"],
  ]);
  assert.equal(form.name, " Weather ", "what was typed is kept to the letter");
  assert.deepEqual(form.servers, [{ host: "10.0.0.5", port: "80x" }]);
  assert.equal(form.settings.required_roles, "a\nb");
  assert.equal(form.settings.rate_limits[0]?.unit, "1", "without a unit, milliseconds");
});

Deno.test("a limit's duration is shown in the longest unit that fits", () => {
  const limits = backendForm(full).settings.rate_limits;
  assert.deepEqual(limits.map(({ duration, unit }) => [duration, unit]), [
    ["2", "3600000"],
    ["1500", "1"],
  ]);
});

Deno.test("a field left empty inherits, and limits of another mode than custom are dropped", () => {
  const form = newBackendForm();
  const { settings } = validateFilled({
    ...form,
    settings: { ...form.settings, rate_limit_mode: "unlimited", rate_limits: [limit("10")] },
  });
  assert.equal(settings.require_https, null);
  assert.equal(settings.disable_api_key, null);
  assert.equal(settings.disable_analytics, null);
  assert.equal(settings.read_timeout_seconds, null);
  assert.equal(settings.rate_limit_mode, "unlimited");
  assert.deepEqual(settings.rate_limits, []);
});

Deno.test("a new form has a row to fill in, and may come filled in", () => {
  assert.equal(newBackendForm().servers.length, 1);
  const form = newBackendForm(new URLSearchParams("name=A&servers[0].host=a.example"));
  assert.equal(form.name, "A");
  assert.deepEqual(form.servers, [{ host: "a.example", port: "" }]);
  assert.equal(form.url_matches.length, 1);
});

Deno.test("no frontend host means any, no backend host the caller's", () => {
  const { frontend_host, backend_host } = validateFilled({
    ...newBackendForm(),
    frontend_host: " ",
  });
  assert.deepEqual([frontend_host, backend_host], ["*", null]);
});

Deno.test("servers are verified and not checked unless the form says otherwise", () => {
  const { backend_tls, health_check } = validateFilled(newBackendForm());
  assert.deepEqual([backend_tls, health_check], [null, null]);
});

Deno.test("a check needs a path, and the rest has defaults", () => {
  const form = newBackendForm();
  const { health_check } = validateFilled({
    ...form,
    health_check: { ...form.health_check, path: "/health", timeout_seconds: "1" },
  });
  assert.deepEqual(health_check, {
    path: "/health",
    interval_seconds: 10,
    timeout_seconds: 1,
    healthy_after: 2,
    unhealthy_after: 3,
    expected_statuses: [],
  });
  const lost = { ...form, health_check: { ...form.health_check, expected_statuses: "200" } };
  const errors = fieldErrors(schema, backendRecord(lost));
  assert.ok(errors.some(({ field }) => field === "health_check.path"));
});

Deno.test("a number that is none is refused at its field, not silently dropped", () => {
  const form = { ...newBackendForm(), servers: [{ host: "a.example", port: "http" }] };
  const [error] = fieldErrors(schema, backendRecord(form)).filter(({ field }) =>
    field === "servers[0].port"
  );
  assert.match(error?.message ?? "", /must be a whole number/);
});

Deno.test("rows that nobody filled in are no rows, but a backend keeps its first ones", () => {
  const form = newBackendForm();
  const blank = { key: " ", value: "" };
  const kept = withoutBlankRows({
    ...form,
    servers: [{ host: "", port: "" }, { host: "a.example", port: "80" }],
    settings: { ...form.settings, headers: [blank, { key: "", value: "lost name" }] },
  });
  assert.deepEqual(kept.servers, [{ host: "a.example", port: "80" }]);
  assert.equal(kept.url_matches.length, 1);
  assert.deepEqual(kept.settings.headers, [{ key: "", value: "lost name" }]);
});

Deno.test("lists in one field are one item a line, or parted by commas", () => {
  assert.deepEqual(lineItems(" a\r\n\n b , c,"), ["a", "b", "c"]);
});

Deno.test("of several errors of a field, the first is shown", () => {
  const form = newBackendForm();
  const fields = formErrors(fieldErrors(schema, backendRecord(form)), form)
    .map(({ field, message }) => `${field} ${message}`);
  assert.deepEqual(fields, [
    "name can't be blank",
    "servers[0].host can't be blank",
    "servers[0].port can't be blank",
    "url_matches[0].frontend_prefix can't be blank",
  ]);
});

Deno.test("errors stand in the order of the page", () => {
  const form = newBackendForm();
  const wrong = {
    ...form,
    name: "Any",
    servers: [{ host: "a.example", port: "80" }],
    health_check: { ...form.health_check, path: "health" },
    url_matches: [{ frontend_prefix: "", backend_prefix: "" }],
    settings: { ...form.settings, allowed_ips: "home", body_max_bytes: "1 MB" },
  };
  assert.deepEqual(
    formErrors(fieldErrors(schema, backendRecord(wrong)), wrong).map(({ field }) => field),
    [
      "url_matches[0].frontend_prefix",
      "settings.allowed_ips",
      "health_check.path",
      "settings.body_max_bytes",
    ],
  );
});

Deno.test("where a URL is pasted for a host, the error says what of it to write", () => {
  const form = {
    ...newBackendForm(),
    servers: [{ host: "http://127.0.0.1:18491/", port: "" }],
    backend_host: "https://api.example",
  };
  const errors = new Map(
    formErrors(fieldErrors(schema, backendRecord(form)), form)
      .map(({ field, message }) => [field, message]),
  );
  assert.equal(
    errors.get("servers[0].host"),
    'must be in the format of "example.com", without “http://” and path: 127.0.0.1, ' +
      "and the port in its own field",
  );
  assert.match(errors.get("backend_host") ?? "", /, without “https:\/\/”: api\.example$/);
});

Deno.test("an error in a list names its item, at the field that holds the list", () => {
  const form = {
    ...newBackendForm(),
    settings: { ...newBackendForm().settings, allowed_ips: "10.0.0.0/8\n10.0.0.300" },
  };
  const errors = formErrors(fieldErrors(schema, backendRecord(form)), form)
    .filter(({ field }) => field?.includes("allowed_ips"));
  assert.deepEqual(errors.map(({ field }) => field), ["settings.allowed_ips"]);
  assert.match(errors[0]?.message ?? "", /^“10\.0\.0\.300” must be an IP address/);
});

Deno.test("expected statuses that are none are named, at the field that holds them", () => {
  const blank = newBackendForm();
  const form = {
    ...blank,
    health_check: { ...blank.health_check, path: "/", expected_statuses: "200, 2xx, 700" },
  };
  const errors = formErrors(fieldErrors(schema, backendRecord(form)), form)
    .filter(({ field }) => field?.startsWith("health_check"));
  const field = "health_check.expected_statuses";
  assert.deepEqual(errors.map((error) => [error.field, error.message.slice(0, 5)]), [
    [field, "“2xx”"],
    [field, "“700”"],
  ]);
});

function limit(count: string) {
  return {
    duration: "1",
    unit: "3600000",
    limit_by: "api_key",
    limit: count,
    response_headers: "",
  };
}

function validateFilled(form: BackendForm) {
  return validate(
    schema,
    backendRecord({
      ...form,
      name: "Any",
      servers: [{ host: "a.example", port: "80" }],
      url_matches: [{ frontend_prefix: "/a/", backend_prefix: "" }],
    }),
  );
}
