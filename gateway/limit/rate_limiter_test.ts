import assert from "node:assert/strict";
import fc from "fast-check";
import type { RateLimit } from "../records/rate_limits.ts";
import { compileBucket, compileLimits } from "./compiled_limits.ts";
import { newLimitMemory } from "./limit_memory.ts";
import { type Count, RateLimiter } from "./rate_limiter.ts";

const HOUR = 3_600_000;
const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);
const bucket = compileBucket("*");

function compiled(limit: Partial<RateLimit> = {}) {
  const { limits: [only] } = compileLimits([
    { duration: HOUR, limit_by: "api_key", limit: 10, response_headers: false, ...limit },
  ]);
  assert.ok(only);
  return only;
}

const hourly = compiled();

/** Counts calls of one key against one limit. */
function counter(limit = hourly, key = "k", limiter = new RateLimiter(newLimitMemory())) {
  const subject = limiter.subjects.keyHolder(key);
  return {
    limiter,
    take: (now: number): Count => limiter.take(limit, bucket, subject, now),
    look: (now: number): Count => limiter.look(limit, bucket, subject, now),
    used: (calls: number, now: number) => {
      for (let call = 0; call < calls; call++) limiter.take(limit, bucket, subject, now);
    },
  };
}

Deno.test("ten calls an hour pass, the eleventh does not, and refused ones do not count", () => {
  const { take } = counter();
  for (let call = 0; call < 10; call++) {
    const result = take(at("01:27:00"));
    assert.ok(result.allowed);
    assert.equal(result.remaining, 9 - call);
  }
  for (let call = 0; call < 5; call++) {
    const result = take(at("01:27:01"));
    assert.ok(!result.allowed);
    assert.equal(result.remaining, 0);
  }
  // The worked example of the rule: floor(10 × 3600/3600) + 1 = 11, a second later 10.
  assert.ok(!take(at("02:00:00")).allowed);
  assert.ok(take(at("02:00:01")).allowed);
});

Deno.test("the previous window fades out", () => {
  const { take, used } = counter();
  used(10, at("01:27:00"));
  assert.ok(take(at("02:05:59")).allowed);
  assert.ok(!take(at("02:06:00")).allowed);
});

Deno.test("a window two periods back no longer counts", () => {
  const { take, used } = counter();
  used(10, at("01:27:00"));
  assert.equal(take(at("03:00:00")).remaining, 9);
});

Deno.test("the seconds to wait name the first second at which a call passes", () => {
  const { take, used } = counter();
  used(10, at("01:27:00"));
  const { secondsUntilMore } = take(at("01:30:00"));
  const then = at("01:30:00") + secondsUntilMore * 1000;
  assert.equal(then, at("02:00:01"));
  assert.ok(take(then).allowed);
});

Deno.test("looking shows what is left without counting", () => {
  const { look, take } = counter();
  assert.equal(look(at("01:00:00")).remaining, 10);
  assert.equal(look(at("01:00:00")).secondsUntilMore, 0);
  take(at("01:00:00"));
  for (let time = 0; time < 3; time++) assert.equal(look(at("01:00:00")).remaining, 9);
});

Deno.test("keys, kinds, durations and buckets are counted apart", () => {
  const limiter = new RateLimiter(newLimitMemory());
  const key = limiter.subjects.keyHolder("a");
  const one = compiled({ limit: 1 });
  const now = at("01:00:00");
  assert.ok(limiter.take(one, bucket, key, now).allowed);
  assert.ok(limiter.take(one, bucket, limiter.subjects.keyHolder("b"), now).allowed);
  assert.ok(limiter.take(compiled({ limit: 1, limit_by: "ip" }), bucket, key, now).allowed);
  assert.ok(limiter.take(compiled({ limit: 1, duration: 1000 }), bucket, key, now).allowed);
  assert.ok(limiter.take(one, compileBucket("b.example"), key, now).allowed);
  assert.ok(!limiter.take(one, bucket, key, now).allowed);
});

Deno.test("a limit that is lowered or raised goes on from what is counted", () => {
  const { used, limiter } = counter();
  used(8, at("01:00:00"));
  const key = limiter.subjects.keyHolder("k");
  const lowered = limiter.take(compiled({ limit: 5 }), bucket, key, at("01:00:00"));
  assert.ok(!lowered.allowed);
  assert.equal(lowered.remaining, 0);
  // Five of the eight are to fade: 5/8 of the next hour and the second after it.
  assert.equal(lowered.secondsUntilMore, 3600 + 3600 * 3 / 8 + 1);
  assert.equal(limiter.take(compiled({ limit: 20 }), bucket, key, at("01:00:00")).remaining, 11);
});

Deno.test("a clock that is set back opens no new window, by a minute or by years", () => {
  for (const earlier of ["2026-01-01T01:00:00Z", "2026-01-01T01:59:59Z", "2019-01-01T01:00:00Z"]) {
    const { take } = counter(compiled({ limit: 1 }));
    assert.ok(take(at("02:00:00")).allowed);
    assert.ok(!take(Date.parse(earlier)).allowed, earlier);
  }
});

Deno.test("a clock that was years ahead does not lock anybody out for years", () => {
  const { take } = counter(compiled({ limit: 1 }));
  assert.ok(take(Date.parse("2040-01-01T00:00:00Z")).allowed);
  assert.ok(!take(at("01:00:00")).allowed);
  assert.ok(take(at("03:00:00")).allowed);
});

Deno.test("a call that was under way when a period began counts in the new one", () => {
  const { take, used } = counter();
  used(4, at("01:59:59"));
  take(at("02:00:00"));
  assert.equal(take(at("01:59:59")).remaining, 10 - 4 - 2);
  assert.equal(take(at("02:00:00")).remaining, 10 - 4 - 3);
});

/** The rule, read literally: every call that passed is remembered by its time. */
class Model {
  readonly #passed: number[] = [];

  constructor(readonly calls: number, readonly duration: number) {}

  take(now: number): { readonly allowed: boolean; readonly remaining: number } {
    const start = Math.floor(now / this.duration) * this.duration;
    const between = (from: number, to: number) =>
      this.#passed.filter((time) => time >= from && time < to).length;
    const rest = 1 - (now - start) / this.duration;
    const previous = Math.floor(between(start - this.duration, start) * rest);
    const current = between(start, start + this.duration) + 1;
    const allowed = current <= this.calls && current + previous <= this.calls;
    if (allowed) this.#passed.push(now);
    return { allowed, remaining: allowed ? this.calls - current - previous : 0 };
  }
}

const calls = fc.array(
  fc.record({ key: fc.nat(2), pause: fc.oneof(fc.nat(40), fc.nat(2500)) }),
  { maxLength: 80 },
);

Deno.test("what passes is what the rule says, whenever calls come", () => {
  const limiter = new RateLimiter(newLimitMemory());
  let run = 0;
  fc.assert(fc.property(calls, fc.integer({ min: 1, max: 6 }), (calls, limit) => {
    run++;
    // 1024: its fractions are exact, so the model's arithmetic and ours must agree.
    const models = [0, 1, 2].map(() => new Model(limit, 1024));
    const rule = compiled({ duration: 1024, limit });
    let now = at("00:00:00");
    for (const { key, pause } of calls) {
      now += pause;
      const subject = limiter.subjects.keyHolder(`${run} ${key}`);
      const { allowed, remaining } = limiter.take(rule, bucket, subject, now);
      assert.deepEqual({ allowed, remaining }, models[key]?.take(now));
    }
  }));
});

Deno.test("whoever waits as long as told has more calls left, and a second less is too early", () => {
  const limiter = new RateLimiter(newLimitMemory());
  let run = 0;
  fc.assert(fc.property(calls, fc.integer({ min: 1, max: 6 }), (calls, limit) => {
    const key = `waits ${run++}`;
    const { take, look } = counter(compiled({ duration: 7000, limit }), key, limiter);
    let now = at("00:00:00");
    for (const { pause } of calls) take(now += pause);
    const { remaining, secondsUntilMore: seconds } = look(now);
    if (seconds === 0) return assert.equal(remaining, limit);
    assert.ok(look(now + (seconds - 1) * 1000).remaining <= remaining, "not before");
    assert.ok(look(now + seconds * 1000).remaining > remaining, `after ${seconds} s`);
  }));
});
