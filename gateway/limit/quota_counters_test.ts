import assert from "node:assert/strict";
import type { Quota } from "../records/quotas.ts";
import { compileBucket } from "./compiled_limits.ts";
import { compileQuotas } from "./compiled_quotas.ts";
import { newLimitMemory } from "./limit_memory.ts";
import { RateLimiter } from "./rate_limiter.ts";

const at = (time: string) => Date.parse(`${time}Z`);
const bucket = compileBucket("*");

function compiled(quota: Partial<Quota> = {}) {
  const [only] = compileQuotas([{ period: "day", limit_by: "api_key", limit: 3, ...quota }]);
  assert.ok(only);
  return only;
}

function counter(quota = compiled(), key = "k", memory = newLimitMemory()) {
  const { quotas, subjects } = new RateLimiter(memory);
  const subject = subjects.keyHolder(key);
  return {
    quotas,
    take: (now: number) => quotas.take(quota, bucket, subject, now),
    look: (now: number) => quotas.look(quota, bucket, subject, now),
    giveBack: () => quotas.giveBack(quota, bucket, subject),
    /** How many of so many calls pass. */
    passed: (calls: number, now: number) =>
      Array.from({ length: calls }, () => quotas.take(quota, bucket, subject, now))
        .filter(({ allowed }) => allowed).length,
  };
}

Deno.test("a day's calls count until midnight in UTC, wherever in the day they were made", () => {
  const { take, passed } = counter();
  assert.equal(passed(5, at("2026-03-09T00:00:00")), 3);
  const refused = take(at("2026-03-09T23:59:59"));
  assert.ok(!refused.allowed);
  assert.equal(refused.remaining, 0);
  assert.equal(refused.secondsUntilMore, 1);
  assert.equal(take(at("2026-03-10T00:00:00")).remaining, 2);
});

Deno.test("a month's calls count until its last day is over, in leap years as well", () => {
  for (
    const [last, next] of [
      ["2026-02-28T23:59:59", "2026-03-01T00:00:00"],
      ["2028-02-29T23:59:59", "2028-03-01T00:00:00"],
      ["2026-12-31T23:59:59", "2027-01-01T00:00:00"],
    ] as const
  ) {
    const { passed, take } = counter(compiled({ period: "month" }));
    assert.equal(passed(5, at(`${last.slice(0, 8)}01T00:00:00`)), 3);
    assert.ok(!take(at(last)).allowed, last);
    assert.equal(take(at(last)).secondsUntilMore, 1);
    assert.equal(take(at(next)).remaining, 2);
  }
});

Deno.test("looking shows what is left without counting, and a given back call is left again", () => {
  const { take, look, giveBack } = counter();
  const now = at("2026-03-09T12:00:00");
  assert.equal(look(now).remaining, 3);
  take(now);
  assert.equal(look(now).remaining, 2);
  giveBack();
  assert.equal(look(now).remaining, 3);
  assert.equal(look(now).secondsUntilMore, 12 * 3600);
});

Deno.test("a quota that is lowered or raised goes on from what is counted", () => {
  const memory = newLimitMemory();
  const now = at("2026-03-09T12:00:00");
  assert.equal(counter(compiled({ limit: 8 }), "k", memory).passed(8, now), 8);
  const lowered = counter(compiled({ limit: 5 }), "k", memory).take(now);
  assert.ok(!lowered.allowed);
  assert.equal(lowered.remaining, 0);
  assert.equal(counter(compiled({ limit: 10 }), "k", memory).take(now).remaining, 1);
});

Deno.test("days, months, keys and addresses are counted apart", () => {
  const memory = newLimitMemory();
  const now = at("2026-03-09T12:00:00");
  const one = (quota: Partial<Quota>) => counter(compiled({ limit: 1, ...quota }), "k", memory);
  for (const quota of [{}, { period: "month" }, { limit_by: "ip" }] as const) {
    assert.deepEqual([one(quota).take(now), one(quota).take(now)].map((count) => count.allowed), [
      true,
      false,
    ]);
  }
});

Deno.test("a clock that is set back gives no calls anew, one that was years ahead locks nobody out", () => {
  const { passed, take } = counter();
  const now = at("2026-03-09T00:00:01");
  assert.equal(passed(3, now), 3);
  assert.ok(!take(at("2026-03-08T23:59:59")).allowed, "a call that was under way at midnight");
  assert.ok(!take(at("2025-01-01T00:00:00")).allowed, "a year back");
  assert.ok(take(at("2025-01-02T00:00:00")).allowed, "the day after that");

  const ahead = counter();
  assert.equal(ahead.passed(3, at("2040-01-01T00:00:00")), 3);
  assert.ok(!ahead.take(now).allowed);
  assert.ok(ahead.take(at("2026-03-10T00:00:00")).allowed);
});

Deno.test("a flood of rate-limited callers takes no room from quotas", () => {
  const memory = newLimitMemory();
  const { look, take } = counter(compiled(), "k", memory);
  const now = at("2026-03-09T12:00:00");
  take(now);
  const limiter = new RateLimiter(memory);
  const limit = { calls: 2, duration: 1000, by: "ip", kind: { high: 1, low: 1 } } as const;
  for (let caller = 0; caller < 1_000_000; caller++) {
    limiter.take(limit, bucket, limiter.subjects.address(`caller ${caller}`), now);
  }
  assert.equal(look(now).remaining, 2);
});

Deno.test("a full table forgets who called little, never who has used up a quota", () => {
  const memory = newLimitMemory();
  const now = at("2026-03-09T12:00:00");
  const keys = Array.from({ length: 100 }, (_, key) => counter(compiled(), `key ${key}`, memory));
  for (const { passed } of keys) assert.equal(passed(3, now), 3);
  const { quotas, subjects } = new RateLimiter(memory);
  for (let caller = 0; caller < 1_000_000; caller++) {
    quotas.take(compiled(), bucket, subjects.address(`caller ${caller}`), now);
  }
  assert.equal(keys.filter(({ take }) => take(now).allowed).length, 0);
});

Deno.test("what has changed is told once, and goes on in another process under the same seed", () => {
  const seed = { high: 1, low: 2 };
  const now = at("2026-03-09T12:00:00");
  const one = counter(compiled(), "k", newLimitMemory(seed));
  assert.equal(one.quotas.changed(now).length, 0);
  one.take(now);
  one.take(now);
  const kept = one.quotas.changed(now);
  assert.equal(one.quotas.changed(now).length, 0);

  const other = counter(compiled(), "k", newLimitMemory(seed));
  other.quotas.restore(kept, now);
  assert.equal(other.look(now).remaining, 1);
  other.take(now);
  other.quotas.restore(kept, now);
  assert.equal(other.look(now).remaining, 0, "an older number does not lower what is counted");
  assert.equal(other.quotas.all(now).length, kept.length);

  const tomorrow = counter(compiled(), "k", newLimitMemory(seed));
  tomorrow.quotas.restore(kept, now + 86_400_000);
  assert.equal(tomorrow.quotas.all(now).length, 0, "yesterday is over");
});
