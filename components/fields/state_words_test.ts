import assert from "node:assert/strict";
import { noSettings } from "../backends/settings/settings_form.ts";
import { settingFields } from "../backends/settings/table.ts";
import { setWords, stateWords } from "./state_words.ts";

Deno.test("a limit is told in words", () => {
  const limit = { limit_by: "ip", limit: "1", response_headers: "" };
  assert.deepEqual(
    stateWords(settingFields.rate_limits, [
      { ...limit, duration: "1", unit: "60000" },
      { ...limit, limit: "50", duration: "15", unit: "60000" },
    ]),
    ["1 call a minute by IP address", "50 calls in 15 minutes by IP address"],
  );
});

Deno.test("a quota is told in words", () => {
  assert.deepEqual(
    stateWords(settingFields.quotas, [{ period: "month", limit_by: "api_key", limit: "20000" }]),
    ["20,000 calls a month (UTC) by API key"],
  );
});

Deno.test("a secret is not told", () => {
  assert.deepEqual(stateWords(settingFields.http_basic_auth, "user:word"), ["set"]);
});

Deno.test("what is set is told in a few words, each kind in its way", () => {
  assert.deepEqual(
    setWords(settingFields, {
      ...noSettings,
      disable_api_key: "true",
      required_roles: "a\nb",
      allowed_ips: "::1",
      require_https_transition_start_at: "2030-01-01T00:00:00.000Z",
      headers: [{ key: "X-A", value: "1" }],
      read_timeout_seconds: "5",
      "error_templates.html": "<p>",
    }),
    [
      "key not required",
      "2 roles",
      "1 IP range",
      "1 request header",
      "refusals in HTML",
      "read timeout 5 s",
    ],
  );
});
