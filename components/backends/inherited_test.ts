import assert from "node:assert/strict";
import * as v from "valibot";
import { defaultConfiguration } from "@/gateway/config/configuration.ts";
import { configurationSchema } from "@/gateway/config/schema.ts";
import { inheritedSettings, rateLimitWords } from "./inherited.ts";

Deno.test("without a configuration file, a key is required and calls are limited, nothing else", () => {
  const inherited = inheritedSettings(defaultConfiguration);
  assert.equal(inherited.disable_api_key, "required");
  assert.equal(inherited.require_https, "optional");
  assert.equal(inherited.required_roles, "none");
  assert.equal(inherited.allowed_ips, "any");
  assert.equal(inherited.rate_limit_mode, "5 limits");
  assert.deepEqual(inherited.rate_limits, [
    "50 calls a second by IP address",
    "20 calls a second by API key",
    "250 calls in 15 seconds by IP address",
    "150 calls in 15 seconds by API key",
    "1,000 calls an hour by API key",
  ]);
  assert.equal(inherited.anonymous_rate_limit_behavior, "all limits, by IP address");
  assert.equal(inherited.authenticated_rate_limit_behavior, "all limits");
  assert.equal(inherited.disable_analytics, "calls are recorded");
  assert.equal(inherited.read_timeout_seconds, "60");
});

Deno.test("what the configuration file sets is what a backend inherits", () => {
  const config = v.parse(configurationSchema, {
    https_port: 8443,
    upstream: { read_timeout_seconds: 7.5 },
    default_api_backend_settings: {
      required_roles: ["staff", "partner"],
      headers: [{ key: "X-From", value: "gateway" }],
      rate_limits: [{ duration: 3_600_000, limit_by: "api_key", limit: 1000 }],
      rate_limit_bucket_name: "shop",
      anonymous_rate_limit_behavior: "ip_only",
      disable_analytics: true,
    },
  });
  const inherited = inheritedSettings(config);
  assert.equal(inherited.require_https, "required");
  assert.equal(inherited.required_roles, "staff, partner");
  assert.equal(inherited.headers, "X-From");
  assert.equal(inherited.rate_limit_mode, "1 limit");
  assert.deepEqual(inherited.rate_limits, ["1,000 calls an hour by API key"]);
  assert.equal(inherited.rate_limit_bucket_name, "shop");
  assert.equal(inherited.anonymous_rate_limit_behavior, "limits by IP address alone");
  assert.equal(inherited.disable_analytics, "calls are left out");
  assert.equal(inherited.read_timeout_seconds, "7.5");
});

Deno.test("limits that the configuration file lifts are inherited as unlimited", () => {
  const settings = { rate_limit_mode: "unlimited" };
  const inherited = inheritedSettings(
    v.parse(configurationSchema, { default_api_backend_settings: settings }),
  );
  assert.equal(inherited.rate_limit_mode, "unlimited");
  assert.deepEqual(inherited.rate_limits, []);
});

Deno.test("a limit is told in words", () => {
  const limit = { limit_by: "ip", response_headers: false } as const;
  assert.equal(
    rateLimitWords({ ...limit, duration: 60_000, limit: 1 }),
    "1 call a minute by IP address",
  );
  assert.equal(
    rateLimitWords({ ...limit, duration: 900_000, limit: 50 }),
    "50 calls in 15 minutes by IP address",
  );
});
