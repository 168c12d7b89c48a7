import assert from "node:assert/strict";
import { defaultConfiguration } from "@/gateway/config/configuration.ts";
import { type BackendForm, newBackendForm, type SettingsFields } from "./backend_form.ts";
import { inheritedSettings } from "./inherited.ts";
import * as summaries from "./section_summaries.ts";

const empty = newBackendForm();
const inherited = inheritedSettings(defaultConfiguration);
const withSettings = (settings: Partial<SettingsFields>): BackendForm => ({
  ...empty,
  settings: { ...empty.settings, ...settings },
});

Deno.test("an empty form says what is missing and what is inherited", () => {
  assert.equal(summaries.serversSummary(empty), "no server yet");
  assert.equal(summaries.hostSummary(empty), "any host → the same");
  assert.equal(summaries.prefixesSummary(empty), "no prefix yet");
  assert.equal(summaries.accessSummary(empty, inherited), "key required");
  assert.equal(summaries.rateLimitSummary(empty, inherited), "inherited: 5 limits");
  assert.equal(summaries.headersSummary(empty), "passed on as they are");
  assert.equal(summaries.tlsSummary(empty), "plain http");
  assert.equal(summaries.healthCheckSummary(empty), "no checks");
  assert.equal(summaries.advancedSummary(empty), "least connections");
});

Deno.test("what is set is told by its first item and how many more", () => {
  const form: BackendForm = {
    ...empty,
    backend_protocol: "https",
    servers: [{ host: "a.example", port: "443" }, { host: "b.example", port: "443" }],
    url_matches: [{ frontend_prefix: "/a/", backend_prefix: "" }],
  };
  assert.equal(summaries.serversSummary(form), "https://a.example:443 and 1 more");
  assert.equal(summaries.prefixesSummary(form), "/a/ → /a/");
});

Deno.test("of a URL pasted for a host, the summary tells host and port", () => {
  const servers = [{ host: "http://127.0.0.1:18491/", port: "" }];
  assert.equal(summaries.serversSummary({ ...empty, servers }), "http://127.0.0.1:18491");
});

Deno.test("settings are told by what they ask for", () => {
  const form = withSettings({
    disable_api_key: "true",
    required_roles: "a\nb",
    require_https: "required_return_error",
    allowed_ips: "10.0.0.0/8",
    headers: [{ key: "X-A", value: "1" }, { key: "", value: "" }],
    override_response_headers: [{ key: "X-B", value: "" }],
    read_timeout_seconds: "5",
    disable_analytics: "true",
  });
  assert.equal(
    summaries.accessSummary(form, inherited),
    "key not required, 2 roles, HTTPS only, 1 IP range",
  );
  assert.equal(summaries.headersSummary(form), "1 to the backend, 1 to the caller");
  assert.equal(
    summaries.advancedSummary(form),
    "least connections, 1 custom timeout, not in Analytics",
  );
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
  assert.equal(summaries.advancedSummary(form), "by source IP address");
});
