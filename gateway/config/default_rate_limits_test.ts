import assert from "node:assert/strict";
import { defaultRateLimits } from "./default_rate_limits.ts";
import { errorsOf, load } from "./testing.ts";

async function defaults(file: string) {
  return (await load({ file })).config.default_api_backend_settings;
}

Deno.test("a backend that nobody set limits for has API Umbrella's five", async () => {
  for (
    const file of [
      "site_name: x\n",
      "default_api_backend_settings: { require_https: optional }\n",
    ]
  ) assert.deepEqual((await defaults(file)).rate_limits, defaultRateLimits);
  assert.equal(defaultRateLimits.length, 5);
});

Deno.test("limits of the file take their place, with the mode or without", async () => {
  const limits = "rate_limits: [{ duration: 1000, limit_by: ip, limit: 3 }]";
  for (const mode of ["", "rate_limit_mode: custom, "]) {
    const { rate_limits } = await defaults(`default_api_backend_settings: { ${mode}${limits} }\n`);
    assert.deepEqual(rate_limits.map(({ limit }) => limit), [3]);
  }
});

Deno.test("an empty list is refused: to lift all limits takes the word", async () => {
  const [error] = await errorsOf({ file: "default_api_backend_settings: { rate_limits: [] }\n" });
  assert.match(error ?? "", /rate_limits.*must hold at least one limit.*"unlimited"/);
  const file = "default_api_backend_settings: { rate_limit_mode: unlimited, rate_limits: [] }\n";
  assert.equal((await defaults(file)).rate_limit_mode, "unlimited");
});
