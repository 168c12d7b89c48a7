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
  });
  assert.equal(
    summaries.accessSummary(form, inherited),
    "key not required, 2 roles, HTTPS only, 1 IP range",
  );
  assert.equal(summaries.headersSummary(form), "1 to the backend, 1 to the caller");
  assert.equal(summaries.advancedSummary(form), "least connections, 1 own timeout");
});
