/**
 * Slows down whoever keeps guessing: after five failures an account, or an
 * address, has to wait before its next attempt, and twice as long after each
 * further failure. Nobody is held on a socket; a refused attempt is answered at
 * once with the time to wait. Kept in memory, bounded, and gone with the process.
 */
import { Fault } from "../faults.ts";

const FREE_FAILURES = 5;
const FIRST_DELAY = 1_000; // ms
const LONGEST_DELAY = 5 * 60_000; // ms
/** A name without a failure for this long (ms) starts afresh. */
const FORGOTTEN_AFTER = 30 * 60_000;
const MOST_NAMES = 10_000;

interface Failures {
  count: number;
  /** Clock time, ms. */
  last: number;
}

/** An attempt under way. It counts as a failure until one of these says otherwise. */
export interface Attempt {
  /** The attempt succeeded: what counted against `name` is forgotten, against others it stays. */
  succeeded(name: string): void;
  /** The attempt was never judged: it does not count. */
  withdrawn(): void;
}

export class AttemptThrottle {
  /** The least recently failed name comes first, and is dropped first. */
  readonly #failures = new Map<string, Failures>();
  readonly #clock: () => number;

  /** `clock` gives milliseconds. */
  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /**
   * Begins an attempt in all of `names`, for example an account and an address.
   * It counts against them from the start, so that many at once gain nothing.
   * Throws a `Fault` (429, with the seconds to wait) while one of them has to wait.
   */
  begin(...names: readonly string[]): Attempt {
    const now = this.#clock();
    const wait = Math.max(...names.map((name) => this.#waitOf(name, now)));
    if (wait > 0) throw tooManyAttempts(Math.ceil(wait / 1000));
    const undo = names.map((name) => this.#add(name, now));
    return {
      succeeded: (name) => {
        this.#failures.delete(name);
        for (const takeBack of undo) takeBack();
      },
      withdrawn: () => {
        for (const takeBack of undo) takeBack();
      },
    };
  }

  /** How many names are remembered. */
  get size(): number {
    return this.#failures.size;
  }

  /** Milliseconds until `name` may try again. */
  #waitOf(name: string, now: number): number {
    const failures = this.#failures.get(name);
    if (failures === undefined) return 0;
    if (now - failures.last >= FORGOTTEN_AFTER) {
      this.#failures.delete(name);
      return 0;
    }
    if (failures.count < FREE_FAILURES) return 0;
    const delay = Math.min(FIRST_DELAY * 2 ** (failures.count - FREE_FAILURES), LONGEST_DELAY);
    return failures.last + delay - now;
  }

  /** Counts a failure; gives what takes it back. */
  #add(name: string, now: number): () => void {
    const before = this.#failures.get(name);
    const failures = { count: (before?.count ?? 0) + 1, last: now };
    this.#failures.delete(name); // so that it goes to the end
    this.#failures.set(name, failures);
    if (this.#failures.size > MOST_NAMES) this.#dropOldest();
    return () => this.#takeBack(name, now, before?.last ?? now);
  }

  #takeBack(name: string, began: number, lastBefore: number): void {
    const failures = this.#failures.get(name);
    if (failures === undefined) return;
    failures.count -= 1;
    if (failures.last === began) failures.last = lastBefore;
    if (failures.count <= 0) this.#failures.delete(name);
  }

  #dropOldest(): void {
    for (const oldest of this.#failures.keys()) {
      this.#failures.delete(oldest);
      return;
    }
  }
}

function tooManyAttempts(seconds: number): Fault {
  const time = seconds === 1 ? "a second" : `${seconds} seconds`;
  return new Fault("TOO_MANY_ATTEMPTS", `Too many failed attempts. Try again in ${time}.`, {
    retryAfter: seconds,
  });
}
