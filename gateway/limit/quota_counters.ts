/**
 * Counts calls against quotas, exactly, over all isolates that share the memory. A
 * counter is for one period of the calendar; the next one begins at zero.
 *
 * The table has room for 589,824 counters. Where it gets tight, the counter that has
 * used the smallest part of its quota is given up (`counter_table.ts`): a flood of new
 * callers forgets those who called little, never one who has used up a quota.
 */
import { type Span, spanOf } from "./calendar.ts";
import { ChangeMarks } from "./change_marks.ts";
import type { CompiledQuota } from "./compiled_quotas.ts";
import { COUNTER_BUCKETS, CounterTable } from "./counter_table.ts";
import type { Hash } from "./keyed_hash.ts";
import type { LimitMemory } from "./limit_memory.ts";

/** What counting a call against a quota, or looking at one, has shown. */
export class QuotaCount {
  constructor(
    readonly quota: CompiledQuota,
    /** Whether the call may pass; of a look, whether one could. */
    readonly allowed: boolean,
    /** Calls made in the period. */
    readonly used: number,
    /** The day or month that it counts for. */
    readonly span: Span,
    readonly now: number,
  ) {}

  /** Calls left, never negative. */
  get remaining(): number {
    return Math.max(0, this.quota.calls - this.used);
  }

  /** Whole seconds until the next period. */
  get secondsUntilMore(): number {
    return Math.ceil((this.span.end - this.now) / 1000);
  }
}

/**
 * Counters as they lie in the store, five words each: the two of the key, when the period
 * is over (seconds since the epoch), the calls made in it and those that may be made.
 */
export type PackedCounters = Uint32Array;

/** Words of a packed counter. */
export const PACKED_WORDS = 5;

export class QuotaCounters {
  readonly #table: CounterTable;
  readonly #changed: ChangeMarks;

  constructor({ quotas, changedQuotas }: Pick<LimitMemory, "quotas" | "changedQuotas">) {
    this.#table = new CounterTable(quotas);
    this.#changed = new ChangeMarks(changedQuotas);
  }

  /**
   * Counts a call against a quota, if the quota allows it.
   * @param bucket which backends are counted together
   * @param subject whose calls are counted, one of `Subjects`
   * @param now ms since the epoch
   */
  take(quota: CompiledQuota, bucket: Hash, subject: Hash, now: number): QuotaCount {
    const table = this.#table;
    if (!table.open(quota.kind, bucket, subject)) table.create(now);
    const span = spanOf(quota.period, now);
    enterPeriod(table, quota, span.end);
    let used = table.current;
    const allowed = used < quota.calls;
    if (allowed) {
      table.current = ++used;
      this.#changed.mark(table.bucket);
    }
    table.close();
    return new QuotaCount(quota, allowed, used, span, now);
  }

  /** What `take` would find, without counting. */
  look(quota: CompiledQuota, bucket: Hash, subject: Hash, now: number): QuotaCount {
    const table = this.#table;
    const span = spanOf(quota.period, now);
    // A period later than ours: see `enterPeriod`.
    const used = table.open(quota.kind, bucket, subject) && table.period >= span.end / 1000
      ? table.current
      : 0;
    table.close();
    return new QuotaCount(quota, used < quota.calls, used, span, now);
  }

  /** Takes back a call that was counted, for one that was refused after all. */
  giveBack(quota: CompiledQuota, bucket: Hash, subject: Hash): void {
    const table = this.#table;
    if (table.open(quota.kind, bucket, subject) && table.current > 0) {
      table.current--;
      this.#changed.mark(table.bucket);
    }
    table.close();
  }

  /** The counters that lie where something has changed since this or `all` was last asked. */
  changed(now: number): PackedCounters {
    return this.#packed(this.#changed.take(), now);
  }

  /** Every counter whose period is not over. */
  all(now: number): PackedCounters {
    this.#changed.take();
    return this.#packed(Array(COUNTER_BUCKETS).keys(), now);
  }

  #packed(buckets: Iterable<number>, now: number): PackedCounters {
    const table = this.#table;
    const words: number[] = [];
    for (const bucket of buckets) {
      table.visit(bucket, now, () => {
        const { key: { high, low }, period: ends, current: used, calls } = table;
        words.push(high, low, ends, used, calls);
      });
    }
    return Uint32Array.from(words);
  }

  /**
   * Takes over what was counted before a restart, but for periods that are over. Of a
   * counter that is there already, the higher number holds.
   */
  restore(counters: PackedCounters, now: number): void {
    for (let at = 0; at < counters.length; at += PACKED_WORDS) {
      const [high = 0, low = 0, ends = 0, used = 0, calls = 0] = counters.subarray(at);
      if (ends * 1000 > now) this.#raise({ high, low }, ends, used, calls, now);
    }
  }

  #raise(key: Hash, ends: number, used: number, calls: number, now: number): void {
    const table = this.#table;
    const isThere = table.openKey(key);
    if (!isThere) table.create(now);
    if (!isThere || table.period < ends) table.enter(ends, 0, used, calls, ends * 1000);
    else if (table.period === ends) table.current = Math.max(table.current, used);
    table.close();
  }
}

/** Brings the counter in hand to the period that ends at `end`, in ms. */
function enterPeriod(table: CounterTable, { period, calls }: CompiledQuota, end: number): void {
  const ends = end / 1000;
  const known = table.period;
  if (known === ends) return;
  // One ahead: the clock was set back a little, or this call was under way when the
  // period began. It counts in the period that has begun.
  if (known > ends && known === spanOf(period, end).end / 1000) return;
  // Further ahead: the clock was set back. What is counted goes on counting.
  table.enter(ends, 0, known > ends ? table.current : 0, calls, end);
}
