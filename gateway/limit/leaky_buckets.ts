/**
 * A blunt limit on how fast calls may come, as nginx's limit_req has it: each subject has
 * a bucket that a call fills by one and that leaks at a steady rate; a call that it has no
 * room for is refused, and leaves it as it is. Exact over all isolates.
 */
import type { CounterTable } from "./counter_table.ts";
import type { Hash } from "./keyed_hash.ts";
import { nameHash } from "./names.ts";

export interface LeakRate {
  /** Calls that leak out in a second. */
  readonly perSecond: number;
  /** Calls that may come at once beyond the first. */
  readonly burst: number;
}

/** A level is counted in thousandths of a call. */
const CALL = 1000;
/** Times are 32 bits of milliseconds: what seems longer ago than this is in the future. */
const LONGEST = 2 ** 31;

const KIND = nameHash("leaky bucket");
/** They are of the whole server, whatever the backend. */
const EVERY_BACKEND: Hash = { high: 0, low: 0 };

export class LeakyBuckets {
  readonly #table: CounterTable;

  constructor(table: CounterTable) {
    this.#table = table;
  }

  /**
   * Counts a call, if there is room for it.
   * @param now ms since the epoch
   * @returns ms until there is room; 0: the call may pass
   */
  pour({ perSecond, burst }: LeakRate, subject: Hash, now: number): number {
    const table = this.#table;
    if (!table.open(KIND, EVERY_BACKEND, subject)) table.create(now);
    const elapsed = now - table.period >>> 0;
    const isSetBack = elapsed >= LONGEST;
    const leaked = isSetBack ? 0 : elapsed * perSecond;
    const before = Math.max(0, Math.ceil(table.current - leaked));
    const excess = before - burst * CALL;
    if (excess <= 0 || isSetBack) {
      const level = excess <= 0 ? before + CALL : before;
      table.enter(now % 2 ** 32, 0, level, (burst + 1) * CALL, now + level / perSecond);
    }
    table.close();
    return excess <= 0 ? 0 : Math.ceil(excess / perSecond);
  }
}
