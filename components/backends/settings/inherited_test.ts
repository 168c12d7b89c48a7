import assert from "node:assert/strict";
import * as v from "valibot";
import { defaultConfiguration } from "@/gateway/config/configuration.ts";
import { configurationSchema } from "@/gateway/config/schema.ts";
import { hasValue, inheritedBelow, inheritedText } from "./inherited.ts";
import { inheritedSettings } from "./server_defaults.ts";
import { noSettings } from "./settings_form.ts";
import type { SettingFieldName } from "./table.ts";

const below = (settings: unknown, more: Record<string, unknown> = {}) =>
  inheritedSettings(
    v.parse(configurationSchema, { default_api_backend_settings: settings, ...more }),
  );

Deno.test("without a configuration file, a key is required and calls are limited, nothing else", () => {
  const inherited = inheritedSettings(defaultConfiguration);
  const expected: [SettingFieldName, string][] = [
    ["disable_api_key", "required"],
    ["require_https", "optional"],
    ["required_roles", "none"],
    ["allowed_ips", "any"],
    ["cors", "refused"],
    ["rate_limit_mode", "5 limits"],
    ["anonymous_rate_limit_behavior", "all limits, by IP address"],
    ["authenticated_rate_limit_behavior", "all limits"],
    ["disable_analytics", "calls are recorded"],
    ["read_timeout_seconds", "60"],
    ["total_timeout_seconds", "no limit"],
  ];
  for (const [name, words] of expected) assert.equal(inheritedText(inherited, name), words, name);
  assert.deepEqual(inherited.rate_limits, [
    "50 calls a second by IP address",
    "20 calls a second by API key",
    "250 calls in 15 seconds by IP address",
    "150 calls in 15 seconds by API key",
    "1,000 calls an hour by API key",
  ]);
});

Deno.test("what the configuration file sets is what a backend inherits", () => {
  const inherited = below({
    required_roles: ["staff", "partner"],
    headers: [{ key: "X-From", value: "gateway" }],
    http_basic_auth: "gateway:hidden",
    rate_limits: [{ duration: 3_600_000, limit_by: "api_key", limit: 1000 }],
    rate_limit_bucket_name: "shop",
    anonymous_rate_limit_behavior: "ip_only",
    disable_analytics: true,
  }, { https_port: 8443, upstream: { read_timeout_seconds: 7.5 } });
  const expected: [SettingFieldName, string][] = [
    ["require_https", "required"],
    ["required_roles", "staff, partner"],
    ["headers", "X-From"],
    ["http_basic_auth", "set"],
    ["rate_limit_mode", "1 limit"],
    ["rate_limits", "1,000 calls an hour by API key"],
    ["rate_limit_bucket_name", "shop"],
    ["anonymous_rate_limit_behavior", "limits by IP address alone"],
    ["disable_analytics", "calls are left out"],
    ["read_timeout_seconds", "7.5"],
  ];
  for (const [name, words] of expected) assert.equal(inheritedText(inherited, name), words, name);
});

Deno.test("limits that the configuration file lifts are inherited as unlimited", () => {
  const inherited = below({ rate_limit_mode: "unlimited" });
  assert.equal(inheritedText(inherited, "rate_limit_mode"), "unlimited");
  assert.deepEqual(inherited.rate_limits, []);
});

Deno.test("a sub-URL inherits what its backend has, and what that inherits", () => {
  const above = below({ required_roles: ["staff"], disable_api_key: true });
  const inherited = inheritedBelow({
    ...noSettings,
    required_roles: "partner\nbeta",
    rate_limit_mode: "custom",
    rate_limits: [{
      duration: "2",
      unit: "60000",
      limit_by: "ip",
      limit: "7",
      response_headers: "",
    }],
  }, above);
  assert.equal(inheritedText(inherited, "required_roles"), "partner, beta");
  assert.equal(inheritedText(inherited, "disable_api_key"), "not required");
  assert.equal(inheritedText(inherited, "rate_limit_mode"), "1 limit");
  assert.deepEqual(inherited.rate_limits, ["7 calls in 2 minutes by IP address"]);
  assert.ok(hasValue(noSettings, inherited, "disable_api_key", "true"));
  assert.ok(
    !hasValue({ ...noSettings, disable_api_key: "false" }, inherited, "disable_api_key", "true"),
  );
});
