import assert from "node:assert/strict";
import { defaultConfiguration } from "@/gateway/config/configuration.ts";
import { type BackendForm, blankRows, newBackendForm } from "./backend_form.ts";
import * as summaries from "./section_summaries.ts";
import { inheritedSettings } from "./settings/server_defaults.ts";
import type { SettingsForm } from "./settings/settings_form.ts";
import type { SettingGroup } from "./settings/table.ts";

const empty = newBackendForm();
const inherited = inheritedSettings(defaultConfiguration);
const summary = (group: SettingGroup, settings: Partial<SettingsForm> = {}) =>
  summaries.settingsSummary(group, { ...empty.settings, ...settings }, inherited);

Deno.test("an empty form says what is missing and what is inherited", () => {
  assert.equal(summaries.serversSummary(empty), "no server yet");
  assert.equal(summaries.hostSummary(empty), "any host → the same");
  assert.equal(summaries.prefixesSummary(empty), "no prefix yet");
  assert.equal(summary("access"), "key required");
  assert.equal(summary("cors"), "refused");
  assert.equal(summary("limits"), "inherited: 5 limits");
  assert.equal(summaries.requestSummary(empty, inherited), "passed on as it is");
  assert.equal(summary("answer"), "as inherited");
  assert.equal(summary("cache"), "on");
  assert.equal(summary("advanced"), "as inherited");
  assert.equal(summaries.subUrlsSummary(empty), "none");
  assert.equal(summaries.tlsSummary(empty), "plain http");
  assert.equal(summaries.healthCheckSummary(empty), "no checks");
});

Deno.test("what is set is told by its first item and how many more", () => {
  const form: BackendForm = {
    ...empty,
    backend_protocol: "https",
    servers: [{ host: "a.example", port: "443" }, { host: "b.example", port: "443" }],
    url_matches: [{ frontend_prefix: "/a/", backend_prefix: "" }],
  };
  assert.equal(
    summaries.serversSummary(form),
    "https://a.example:443 and 1 more, least connections",
  );
  assert.equal(summaries.prefixesSummary(form), "/a/ → /a/");
});

Deno.test("of a URL pasted for a host, the summary tells host and port", () => {
  const servers = [{ host: "http://127.0.0.1:18491/", port: "" }];
  assert.equal(summaries.serversSummary({ ...empty, servers }), "http://127.0.0.1:18491");
});

Deno.test("settings are told by what they ask for", () => {
  assert.equal(
    summary("access", {
      disable_api_key: "true",
      required_roles: "a\nb",
      require_https: "required_return_error",
      allowed_ips: "10.0.0.0/8",
    }),
    "key not required, HTTPS only, 2 roles, 1 IP range",
  );
  assert.equal(summary("cors", { cors: "true" }), "allowed from any origin");
  assert.equal(
    summary("cors", { cors: "true", cors_allowed_origins: "https://a.example" }),
    "allowed from 1 origin",
  );
  const limit = { limit: "1", duration: "1", unit: "1000", limit_by: "ip", response_headers: "" };
  assert.equal(
    summary("limits", { rate_limit_mode: "custom", rate_limits: [limit] }),
    "1 custom limit",
  );
  assert.equal(summary("cache", { cache_max_age_seconds: "60" }), "on, default lifetime 60 s");
  assert.equal(summary("cache", { cache_mode: "off" }), "off");
  assert.equal(summary("advanced", { disable_analytics: "true" }), "not in Analytics");
});

Deno.test("how requests are changed is told, rewrites among it", () => {
  const form: BackendForm = {
    ...empty,
    settings: { ...empty.settings, headers: [{ key: "X-A", value: "1" }] },
    rewrites: [blankRows.rewrites, blankRows.rewrites],
  };
  assert.equal(summaries.requestSummary(form, inherited), "1 request header, 2 rewrites");
});

Deno.test("of a sub-URL is told what it has of its own", () => {
  const row = { ...blankRows.sub_settings, regex: "^/a" };
  assert.equal(summaries.subUrlSummary(row), "as the backend");
  const settings = { ...row.settings, disable_api_key: "true", rate_limit_mode: "unlimited" };
  assert.equal(summaries.subUrlSummary({ ...row, settings }), "unlimited, key not required");
});

Deno.test("how servers are verified, checked and chosen is told", () => {
  const form: BackendForm = {
    ...empty,
    backend_protocol: "https",
    balance_algorithm: "ip_hash",
    health_check: { ...empty.health_check, path: "/health" },
  };
  const tls = (parts: Partial<BackendForm["backend_tls"]>) =>
    summaries.tlsSummary({ ...form, backend_tls: { ...form.backend_tls, ...parts } });
  assert.equal(tls({}), "verified");
  assert.equal(
    tls({ server_name: "inner.example", ca: "-----" }),
    "verified, as inner.example, own certificates trusted",
  );
  assert.equal(tls({ verify: "false", server_name: "inner.example" }), "not verified");
  assert.equal(summaries.healthCheckSummary(form), "GET /health every 10 s");
  const servers = [{ host: "a.example", port: "" }, { host: "b.example", port: "" }];
  assert.equal(
    summaries.serversSummary({ ...form, servers }),
    "https://a.example:443 and 1 more, by source IP address",
  );
});
