import assert from "node:assert/strict";
import { newLimitMemory } from "./limit_memory.ts";
import { RateLimiter } from "./rate_limiter.ts";

const now = Date.parse("2026-03-09T12:00:00Z");

function pouring(perSecond: number, burst: number) {
  const { leakyBuckets, subjects } = new RateLimiter(newLimitMemory());
  return (at: number, address = "192.0.2.1") =>
    leakyBuckets.pour({ perSecond, burst }, subjects.address(address), at);
}

Deno.test("ten calls a second: one in each tenth of it", () => {
  const pour = pouring(10, 0);
  assert.equal(pour(now), 0);
  assert.equal(pour(now + 99), 1);
  assert.equal(pour(now + 100), 0);
  assert.equal(pour(now + 150), 50, "a refused call was not counted, but the last one still is");
  assert.equal(pour(now + 200), 0);
});

Deno.test("a burst may come at once; then the rate holds", () => {
  const pour = pouring(10, 4);
  assert.equal([1, 2, 3, 4, 5, 6, 7].filter(() => pour(now) === 0).length, 5);
  assert.equal(pour(now + 100), 0);
  assert.equal(pour(now + 100), 100);
  assert.equal([1, 2, 3, 4, 5, 6, 7].filter(() => pour(now + 60_000) === 0).length, 5);
});

Deno.test("over an hour of calls as fast as can be, what passes is the rate and one burst", () => {
  const pour = pouring(0.5, 9);
  let passed = 0;
  for (let at = 0; at < 3_600_000; at += 70) passed += Number(pour(now + at) === 0);
  assert.equal(passed, 1809);
});

Deno.test("each address has its own", () => {
  const pour = pouring(1, 0);
  assert.equal(pour(now, "192.0.2.1"), 0);
  assert.equal(pour(now, "192.0.2.2"), 0);
  assert.equal(pour(now, "192.0.2.1"), 1000);
});

Deno.test("a clock that is set back, or far ahead, locks nobody out for longer than the burst takes", () => {
  const pour = pouring(1, 0);
  assert.equal(pour(now), 0);
  assert.equal(pour(now - 60_000), 1000);
  assert.equal(pour(now - 59_000), 0);
  assert.equal(pour(now + 86_400_000 * 20), 0);
  assert.equal(pour(now), 1000);
  assert.equal(pour(now + 1000), 0);
});
