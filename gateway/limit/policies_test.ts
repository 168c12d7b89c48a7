import assert from "node:assert/strict";
import { durationWords, limitWords, quotaWords } from "./policies.ts";

Deno.test("limits and quotas are told in words", () => {
  assert.equal(
    limitWords({ calls: 1, duration: 60_000, by: "ip" }),
    "1 call a minute by IP address",
  );
  assert.equal(
    quotaWords({ calls: 10_000, period: "month", by: "api_key" }),
    "10,000 calls a month (UTC) by API key",
  );
});

Deno.test("a time is told in the largest unit that it is whole numbers of", () => {
  assert.deepEqual([1000, 3_600_000, 86_400_000, 900_000, 90_000, 1500].map(durationWords), [
    "a second",
    "an hour",
    "a day",
    "in 15 minutes",
    "in 90 seconds",
    "in 1500 milliseconds",
  ]);
});
