/**
 * Remembers, for all isolates, which buckets of a table have changed since somebody
 * last asked: a bit each, in shared memory.
 */
import { COUNTER_BUCKETS } from "./counter_table.ts";

const BITS = 32;

export function newChangeMarks(): SharedArrayBuffer {
  return new SharedArrayBuffer(COUNTER_BUCKETS / 8);
}

export class ChangeMarks {
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory);
  }

  mark(bucket: number): void {
    const bit = 1 << bucket % BITS;
    const word = bucket / BITS | 0;
    if ((Atomics.load(this.#words, word) & bit) === 0) Atomics.or(this.#words, word, bit);
  }

  /** The buckets that are marked, which they are no more. */
  take(): number[] {
    const buckets: number[] = [];
    for (let word = 0; word < this.#words.length; word++) {
      if (this.#words[word] === 0) continue;
      const bits = Atomics.exchange(this.#words, word, 0);
      for (let bit = 0; bit < BITS; bit++) if (bits & 1 << bit) buckets.push(word * BITS + bit);
    }
    return buckets;
  }
}
