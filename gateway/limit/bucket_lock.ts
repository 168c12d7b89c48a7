/**
 * A lock in shared memory that isolates take for a few dozen nanoseconds. Whoever
 * finds it taken looks again some times, then sleeps a millisecond between looks, so
 * that a holder that was put off the core can go on.
 *
 * An isolate can end while it holds a lock. A lock that shows the same ticket through
 * `PATIENCE` sleeps is taken over: its holder is gone. If it was only that slow, what
 * both of them count at that moment may be off by one; nothing else can happen.
 */

/** Looks before the first sleep. */
const SPINS = 100;
/** Sleeps of a millisecond before a lock is taken over. */
const PATIENCE = 250;
/** Tickets of one isolate before they repeat; a power of two. */
const TICKETS = 2 ** 20;
const ISOLATES = 2 ** 11;

export class BucketLock {
  readonly #words: Int32Array;
  readonly #firstTicket: number;
  #serial = 0;
  #ticket = 0;

  /** `isolate` is a number that no other isolate with the same memory has. */
  constructor(memory: SharedArrayBuffer, isolate: number) {
    this.#words = new Int32Array(memory);
    this.#firstTicket = (1 + isolate % (ISOLATES - 1)) * TICKETS; // never 0, which means free
  }

  /** Takes the lock at a word of the memory; an isolate holds one at a time. */
  acquire(at: number): void {
    this.#serial = this.#serial + 1 & TICKETS - 1;
    this.#ticket = this.#firstTicket + this.#serial;
    if (Atomics.compareExchange(this.#words, at, 0, this.#ticket) !== 0) this.#wait(at);
  }

  release(at: number): void {
    // Only if it is still ours: somebody may have lost patience.
    Atomics.compareExchange(this.#words, at, this.#ticket, 0);
  }

  #wait(at: number): void {
    let holder = 0;
    for (let looks = 0;; looks++) {
      const found = Atomics.compareExchange(this.#words, at, 0, this.#ticket);
      if (found === 0) return;
      if (found !== holder) [holder, looks] = [found, 0];
      if (looks < SPINS) continue;
      if (looks < SPINS + PATIENCE) Atomics.wait(this.#words, at, holder, 1);
      else if (Atomics.compareExchange(this.#words, at, holder, this.#ticket) === holder) return;
    }
  }
}
