/**
 * Counts calls against rate limits, exactly, over all isolates that share the memory. A
 * call that a limit refuses is not counted by it.
 */
import type { CompiledLimit } from "./compiled_limits.ts";
import { CounterTable } from "./counter_table.ts";
import type { Hash } from "./keyed_hash.ts";
import { LeakyBuckets } from "./leaky_buckets.ts";
import type { LimitMemory } from "./limit_memory.ts";
import { QuotaCounters } from "./quota_counters.ts";
import { type Counted, estimate, timeUntil } from "./sliding_window.ts";
import { Subjects } from "./subjects.ts";

/** What counting a call, or looking at a counter, has shown. */
export class Count implements Counted {
  constructor(
    readonly limit: CompiledLimit,
    /** Whether the call may pass; of a look, whether one could. */
    readonly allowed: boolean,
    readonly current: number,
    readonly previous: number,
    readonly elapsed: number,
  ) {}

  /** Calls that count now: an estimate, see `sliding_window.ts`. */
  get used(): number {
    return estimate(this.current, this.previous, this.elapsed, this.limit.duration);
  }

  /** Calls left, never negative. */
  get remaining(): number {
    return Math.max(0, this.limit.calls - this.used);
  }

  /** Whole seconds until more calls are left, or one at all; 0 when none is counted. */
  get secondsUntilMore(): number {
    const less = Math.min(this.limit.calls, this.used) - 1;
    return less < 0 ? 0 : Math.ceil(timeUntil(less, this, this.limit.duration) / 1000);
  }
}

export class RateLimiter {
  readonly subjects: Subjects;
  readonly quotas: QuotaCounters;
  readonly leakyBuckets: LeakyBuckets;
  readonly #table: CounterTable;

  /** `memory` is that of `newLimitMemory`, which all isolates share. */
  constructor(readonly memory: LimitMemory) {
    this.#table = new CounterTable(memory.rates);
    this.leakyBuckets = new LeakyBuckets(this.#table);
    this.quotas = new QuotaCounters(memory);
    this.subjects = new Subjects(this.#table.seed);
  }

  /**
   * Counts a call against a limit, if the limit allows it.
   * @param bucket which backends are counted together
   * @param subject whose calls are counted, one of `subjects`
   * @param now ms since the epoch
   */
  take(limit: CompiledLimit, bucket: Hash, subject: Hash, now: number): Count {
    if (!this.#table.open(limit.kind, bucket, subject)) this.#table.create(now);
    return this.#count(1, limit, now);
  }

  /** What `take` would find, without counting. */
  look(limit: CompiledLimit, bucket: Hash, subject: Hash, now: number): Count {
    if (this.#table.open(limit.kind, bucket, subject)) return this.#count(0, limit, now);
    this.#table.close();
    return new Count(limit, true, 0, 0, 0);
  }

  /** Adds calls to the counter in hand, if the limit allows one, and lets go of it. */
  #count(calls: 0 | 1, limit: CompiledLimit, now: number): Count {
    const table = this.#table;
    enterPeriod(table, limit, now);
    const { previous, period } = table;
    const elapsed = Math.max(0, now - period * limit.duration);
    let current = table.current;
    const allowed = estimate(current, previous, elapsed, limit.duration) < limit.calls;
    if (allowed) table.current = current += calls;
    table.close();
    return new Count(limit, allowed, current, previous, elapsed);
  }
}

/** Brings the counter in hand to the period that `now` is in. */
function enterPeriod(table: CounterTable, limit: CompiledLimit, now: number): void {
  const { duration, calls } = limit;
  const period = Math.floor(now / duration);
  const known = table.period;
  // One ahead: the clock was set back a little, or this call was under way when the
  // period began. It counts in the period that has begun.
  if (period === known || period === known - 1) return;
  const expires = (period + 2) * duration;
  if (period > known) {
    table.enter(period, period === known + 1 ? table.current : 0, 0, calls, expires);
  } else {
    // The clock was set back: what is counted goes on counting, and the periods go on.
    table.enter(period, table.previous, table.current, calls, expires);
  }
}
