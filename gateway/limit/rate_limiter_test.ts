import assert from "node:assert/strict";
import { RateLimiter } from "./rate_limiter.ts";

const hourly = {
  duration: 3_600_000,
  limit_by: "api_key",
  limit: 10,
  response_headers: true,
} as const;
const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);

Deno.test("ten calls an hour pass, the eleventh does not, and refused ones do not count", () => {
  const limiter = new RateLimiter();
  for (let call = 0; call < 10; call++) {
    const result = limiter.take(hourly, "k", at("01:27:00"));
    assert.ok(result.allowed);
    assert.equal(result.remaining, 9 - call);
  }
  for (let call = 0; call < 5; call++) {
    assert.ok(!limiter.take(hourly, "k", at("01:27:01")).allowed);
  }
  // The worked example of the rule: floor(10 × 3600/3600) + 1 = 11, a second later 10.
  assert.ok(!limiter.take(hourly, "k", at("02:00:00")).allowed);
  assert.ok(limiter.take(hourly, "k", at("02:00:01")).allowed);
});

Deno.test("the previous window fades out", () => {
  const limiter = new RateLimiter();
  for (let call = 0; call < 10; call++) limiter.take(hourly, "k", at("01:27:00"));
  assert.ok(limiter.take(hourly, "k", at("02:05:59")).allowed);
  assert.ok(!limiter.take(hourly, "k", at("02:06:00")).allowed);
});

Deno.test("Retry-After names the first second at which a call passes", () => {
  const limiter = new RateLimiter();
  for (let call = 0; call < 10; call++) limiter.take(hourly, "k", at("01:27:00"));
  const { retryAfter } = limiter.take(hourly, "k", at("01:30:00"));
  const then = at("01:30:00") + retryAfter * 1000;
  assert.equal(then, at("02:00:01"));
  assert.ok(limiter.take(hourly, "k", then).allowed);
});

Deno.test("subjects and limits are counted apart", () => {
  const limiter = new RateLimiter();
  const one = { ...hourly, limit: 1 };
  assert.ok(limiter.take(one, "a", at("01:00:00")).allowed);
  assert.ok(limiter.take(one, "b", at("01:00:00")).allowed);
  assert.ok(limiter.take({ ...one, limit_by: "ip" }, "a", at("01:00:00")).allowed);
  assert.ok(!limiter.take(one, "a", at("01:00:00")).allowed);
});

Deno.test("a clock that jumps back opens no new window", () => {
  const limiter = new RateLimiter();
  const one = { ...hourly, limit: 1 };
  assert.ok(limiter.take(one, "a", at("02:00:00")).allowed);
  assert.ok(!limiter.take(one, "a", at("01:00:00")).allowed);
});
