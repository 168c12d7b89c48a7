import assert from "node:assert/strict";
import fc from "fast-check";
import { backendInput as schema } from "@/gateway/records/backend.ts";
import { backendSettings, subSettings } from "@/gateway/records/settings.ts";
import { validate } from "@/gateway/records/validate.ts";
import * as arbitrary from "./arbitrary_backend.ts";
import { type BackendForm, newBackendForm, readBackendForm } from "./backend_form.ts";
import { backendForm, backendRecord } from "./form_record.ts";
import { backendEdits } from "./form_rows.ts";
import { noSettings, type SettingsForm } from "./settings/settings_form.ts";
import { settingFields } from "./settings/table.ts";

Deno.test("any backend comes through its form, and through a browser's post of it, unchanged", () => {
  fc.assert(
    fc.property(arbitrary.backend, (input) => {
      const backend = validate(schema, input);
      const posted = readBackendForm(fieldsOf(backendForm(backend), ""));
      const back = validate(schema, backendRecord(backendEdits.withoutBlankRows(posted)));
      assert.deepEqual(said(back), said(backend));
    }),
    { numRuns: 200 },
  );
});

Deno.test("every setting has a field, and the test above tries it", () => {
  const apart = ["rate_limit_mode", "rate_limits", "quotas", "cors_allow_credentials"];
  const tried = new Set([...Object.keys(arbitrary.settingArbitraries), ...apart]);
  const known = Object.keys(backendSettings.entries);
  assert.deepEqual([...new Set(known).difference(tried)], []);
  const fields = new Set(Object.keys(settingFields).map((name) => name.split(".")[0]));
  assert.deepEqual([...new Set(Object.keys(subSettings.entries)).symmetricDifference(fields)], []);
});

Deno.test("a field left empty inherits, and limits of another mode than custom are dropped", () => {
  const { settings } = validateFilled({
    ...newBackendForm(),
    settings: withSettings({ rate_limit_mode: "unlimited", rate_limits: [limit("10")] }),
  });
  assert.deepEqual(said(settings), { rate_limit_mode: "unlimited" });
});

Deno.test("a backend has room for a hundred sub-URLs", () => {
  const sub_settings = Array.from({ length: 100 }, (_, index) => ({
    http_method: "GET",
    regex: `^/reports/${index}`,
    settings: withSettings({ required_roles: "reports", cache_max_age_seconds: "600" }),
    open: "",
  }));
  const { length } = JSON.stringify(validateFilled({ ...newBackendForm(), sub_settings }));
  assert.ok(length < 64 * 1024, `${length} bytes`);
});

Deno.test("no frontend host means any, no backend host the caller's", () => {
  const { frontend_host, backend_host } = validateFilled({
    ...newBackendForm(),
    frontend_host: " ",
  });
  assert.deepEqual([frontend_host, backend_host], ["*", null]);
});

Deno.test("a server without a port has the protocol's", () => {
  const servers = [{ host: "a.example", port: " " }];
  const ports = ["http", "https"].map((backend_protocol) =>
    validateFilled({ ...newBackendForm(), backend_protocol, servers }).servers[0]?.port
  );
  assert.deepEqual(ports, [80, 443]);
});

Deno.test("servers are verified and not checked unless the form says otherwise", () => {
  const { backend_tls, health_check } = validateFilled(newBackendForm());
  assert.deepEqual([backend_tls, health_check], [null, null]);
});

Deno.test("the rest of a health check has defaults", () => {
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
});

Deno.test("error data is YAML, and what is none stays text to be refused", () => {
  const errorData = (error_data: string) => {
    const form = { ...newBackendForm(), settings: withSettings({ error_data }) };
    return (backendRecord(form).settings as Record<string, unknown>).error_data;
  };
  assert.deepEqual(errorData("api_key_missing:\r\n  message: Ask us\r\n  status_code: 401"), {
    api_key_missing: { message: "Ask us", status_code: 401 },
  });
  assert.equal(errorData("a: [1"), "a: [1");
  assert.deepEqual(errorData(" "), {});
});

Deno.test("rows that nobody filled in are no rows, but a backend keeps its first ones", () => {
  const form = newBackendForm();
  const blank = { key: " ", value: "" };
  const kept = backendEdits.withoutBlankRows({
    ...form,
    servers: [{ host: "", port: "" }, { host: "a.example", port: "80" }],
    settings: withSettings({ headers: [blank, { key: "", value: "lost name" }] }),
    sub_settings: [
      { http_method: "GET", regex: " ", settings: noSettings, open: "true" },
      { http_method: "GET", regex: "", settings: withSettings({ cors: "true" }), open: "" },
    ],
    rewrites: [{
      matcher_type: "regex",
      http_method: "GET",
      frontend_matcher: "",
      backend_replacement: "",
    }],
  });
  assert.deepEqual(kept.servers, [{ host: "a.example", port: "80" }]);
  assert.equal(kept.url_matches.length, 1);
  assert.deepEqual(kept.settings.headers, [{ key: "", value: "lost name" }]);
  assert.deepEqual(kept.sub_settings.map(({ settings }) => settings.cors), ["true"]);
  assert.deepEqual(kept.rewrites, []);
});

/** What a form sends: each of its fields by name, with the lines' ends that browsers send. */
function* fieldsOf(value: unknown, path: string): Generator<[string, string]> {
  if (typeof value === "string") yield [path, value.replaceAll("\n", "\r\n")];
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* fieldsOf(item, `${path}[${index}]`);
  } else {
    for (const [name, item] of Object.entries(value as Record<string, unknown>)) {
      yield* fieldsOf(item, path === "" ? name : `${path}.${name}`);
    }
  }
}

/** What a record says: nothing, null and empty are alike. */
function said(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(said);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, said(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !isNothing(item)));
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === "" ||
    (typeof value === "object" && Object.keys(value).length === 0);
}

function withSettings(settings: Partial<SettingsForm>): SettingsForm {
  return { ...noSettings, ...settings };
}

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
  const [server] = form.servers;
  return validate(
    schema,
    backendRecord({
      ...form,
      name: "Any",
      servers: server?.host === "" ? [{ host: "a.example", port: "80" }] : form.servers,
      url_matches: [{ frontend_prefix: "/a/", backend_prefix: "" }],
    }),
  );
}
