// deno-lint-ignore-file no-import-prefix -- only tests need it: locked in tests/deno.lock
import assert from "node:assert/strict";
import { parseList } from "npm:structured-headers@2.1.0";
import type { RateLimit } from "../records/rate_limits.ts";
import { compileLimits } from "./compiled_limits.ts";

function limit(duration: number, more: Partial<RateLimit> = {}): RateLimit {
  return { duration, limit_by: "api_key", limit: 1000, response_headers: true, ...more };
}

Deno.test("RateLimit-Policy names the policy, its quota and its window in seconds", () => {
  const names = new Map([
    [3_600_000, "hour"],
    [15_000, "15-seconds"],
    [1000, "second"],
    [604_800_000, "7-days"],
    [90_000, "90-seconds"],
    [1500, "1500-milliseconds"],
  ]);
  for (const [duration, name] of names) {
    const { told } = compileLimits([limit(duration)]);
    const policies = parseList(told?.policy.item ?? "");
    const parameters = new Map([["q", 1000], ["w", Math.ceil(duration / 1000)]]);
    assert.deepEqual(policies, [[name, parameters]]);
  }
});

Deno.test("callers are told of the limit that is marked, of several the last", () => {
  const told = (...limits: RateLimit[]) => compileLimits(limits).told?.limit.duration;
  const quiet = { response_headers: false };
  assert.equal(told(limit(1000, quiet), limit(2000), limit(3000, quiet)), 2000);
  assert.equal(told(limit(1000), limit(2000)), 2000);
  assert.equal(told(limit(1000, quiet)), undefined);
});
