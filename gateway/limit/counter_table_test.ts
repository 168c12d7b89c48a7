import assert from "node:assert/strict";
import { BucketLock } from "./bucket_lock.ts";
import { compileBucket, compileLimits } from "./compiled_limits.ts";
import { newLimitMemory } from "./limit_memory.ts";
import { RateLimiter } from "./rate_limiter.ts";
import type { HammerReport, HammerTask } from "./testing_hammer.ts";
import { inIsolate } from "./testing_isolate.ts";

const bucket = compileBucket("*");
const now = Date.parse("2026-01-01T00:00:00Z");

function limitOf(limit: number, duration = 3_600_000) {
  const { limits: [only] } = compileLimits([
    { duration, limit_by: "api_key", limit, response_headers: false },
  ]);
  assert.ok(only);
  return only;
}

Deno.test("four isolates at once let exactly as many calls of each key through as its limit", async () => {
  for (
    const { keys, calls, limit } of [
      { keys: 60, calls: 52, limit: 50 },
      { keys: 1, calls: 50_000, limit: 120_000 }, // all at the same lock
    ]
  ) {
    const task = { memory: newLimitMemory(), start: new SharedArrayBuffer(4), keys, calls, limit };
    const reports = await Promise.all(
      Array.from({ length: 4 }, () => hammer({ ...task, isolates: 4, now })),
    );
    const allowed = Array.from(
      { length: keys },
      (_, key) => reports.reduce((sum, report) => sum + (report.allowed[key] ?? 0), 0),
    );
    assert.deepEqual(allowed, Array(keys).fill(limit));
  }
});

function hammer(task: HammerTask): Promise<HammerReport> {
  return inIsolate(new URL("./testing_hammer.ts", import.meta.url), task);
}

Deno.test("the memory is 16 MiB, whoever calls", () => {
  assert.ok(Math.abs(newLimitMemory().rates.byteLength - 16 * 2 ** 20) <= 256);
});

Deno.test("a flood of new addresses frees no key of the limit it has used up", () => {
  const limiter = new RateLimiter(newLimitMemory());
  const rule = limitOf(20);
  const keys = Array.from({ length: 100 }, (_, key) => limiter.subjects.keyHolder(`key ${key}`));
  for (const key of keys) {
    for (let call = 0; call < 20; call++) limiter.take(rule, bucket, key, now);
  }
  const flood = limitOf(250, 15_000);
  for (let caller = 0; caller < 1_000_000; caller++) {
    limiter.take(flood, bucket, limiter.subjects.address(`caller ${caller}`), now);
  }
  const freed = keys.filter((key) => limiter.take(rule, bucket, key, now).allowed);
  assert.equal(freed.length, 0);
});

Deno.test("counters that are over make room before any that is in use", () => {
  const limiter = new RateLimiter(newLimitMemory());
  const rule = limitOf(1000);
  const short = limitOf(2, 1000);
  // These are used up to a half, but over after two seconds.
  for (let caller = 0; caller < 1_000_000; caller++) {
    limiter.take(short, bucket, limiter.subjects.address(`short ${caller}`), now);
  }
  const key = limiter.subjects.keyHolder("key");
  limiter.take(rule, bucket, key, now + 3000);
  for (let caller = 0; caller < 200_000; caller++) {
    limiter.take(short, bucket, limiter.subjects.address(`late ${caller}`), now + 3000);
  }
  assert.equal(limiter.look(rule, bucket, key, now + 3000).remaining, 999);
});

Deno.test("two tables draw different seeds, so that nobody can tell who shares a bucket", () => {
  const of = () => new RateLimiter(newLimitMemory()).subjects.keyHolder("key");
  assert.notDeepEqual(of(), of());
});

Deno.test("the lock of an isolate that ended is taken over", () => {
  const memory = new SharedArrayBuffer(8);
  new BucketLock(memory, 0).acquire(1); // and never heard of again
  const other = new BucketLock(memory, 1);
  other.acquire(1);
  other.release(1);
  assert.equal(new Int32Array(memory)[1], 0);
});

Deno.test("who lost the lock to another one does not release the other's", () => {
  const memory = new SharedArrayBuffer(8);
  const slow = new BucketLock(memory, 0);
  slow.acquire(0);
  const impatient = new BucketLock(memory, 1);
  impatient.acquire(0);
  slow.release(0);
  assert.notEqual(new Int32Array(memory)[0], 0);
});
