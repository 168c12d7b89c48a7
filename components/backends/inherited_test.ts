import assert from "node:assert/strict";
import * as v from "valibot";
import { defaultConfiguration } from "@/gateway/config/configuration.ts";
import { configurationSchema } from "@/gateway/config/schema.ts";
import { inheritedSettings, periodWords, rateLimitWords } from "./inherited.ts";

Deno.test("without a configuration file, a key is required and nothing else is", () => {
  const inherited = inheritedSettings(defaultConfiguration);
  assert.equal(inherited.disable_api_key, "required");
  assert.equal(inherited.require_https, "optional");
  assert.equal(inherited.required_roles, "none");
  assert.equal(inherited.allowed_ips, "any");
  assert.equal(inherited.rate_limit_mode, "unlimited");
  assert.equal(inherited.read_timeout_seconds, "60");
});

Deno.test("what the configuration file sets is what a backend inherits", () => {
  const config = v.parse(configurationSchema, {
    https_port: 8443,
    upstream: { read_timeout_seconds: 7.5 },
    default_api_backend_settings: {
      required_roles: ["staff", "partner"],
      headers: [{ key: "X-From", value: "gateway" }],
      rate_limit_mode: "custom",
      rate_limits: [{ duration: 3_600_000, limit_by: "api_key", limit: 1000 }],
    },
  });
  const inherited = inheritedSettings(config);
  assert.equal(inherited.require_https, "required");
  assert.equal(inherited.required_roles, "staff, partner");
  assert.equal(inherited.headers, "X-From");
  assert.equal(inherited.rate_limit_mode, "1,000 calls an hour by API key");
  assert.equal(inherited.read_timeout_seconds, "7.5");
});

Deno.test("a limit is told in words", () => {
  const limit = { limit_by: "ip", response_headers: false } as const;
  assert.equal(
    rateLimitWords([
      { ...limit, duration: 60_000, limit: 1 },
      { ...limit, duration: 900_000, limit: 50 },
    ]),
    "1 call a minute by IP address, 50 calls in 15 minutes by IP address",
  );
  assert.equal(periodWords(86_400_000), "a day");
  assert.equal(periodWords(1500), "in 1500 ms");
});
