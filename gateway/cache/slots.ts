/**
 * The slots that entries lie in: their facts as words of the shared memory, and the list
 * of slots that are free. Whoever changes one has the lock.
 */
import { type CacheMemory, Damaged, FREE_SLOT, SLOT_WORDS, SLOTS_TOUCHED } from "./memory.ts";

/**
 * Grows by one whenever the slot's entry is given up: what was read of it
 * holds as long as it does not.
 */
export const GENERATION = 0;
export const STATE = 1;
/** Not 0: used since the hand came by. */
export const USED = 2;
export const HASH_HIGH = 3;
export const HASH_LOW = 4;
/** The next slot in the bucket, plus one; of a free slot the next free one. */
export const NEXT = 5;
export const FIRST_BLOCK = 6;
export const LAST_BLOCK = 7;
export const BLOCKS = 8;
export const HEAD_BYTES = 9;
export const BODY_BYTES = 10;
export const HEAD_CHECKSUM = 11;
export const BODY_CHECKSUM = 12;
/** When it was created, in seconds since the epoch. */
export const CREATED = 13;

/** States of a slot. */
export const FREE = 0;
/** Somebody writes into its blocks; it is in no bucket. */
export const WRITTEN = 1;
export const STORED = 2;

/** An entry as it was when it was found. */
export interface EntryRef {
  readonly slot: number;
  readonly generation: number;
  readonly firstBlock: number;
  readonly headBytes: number;
  readonly bodyBytes: number;
  readonly headChecksum: number;
  readonly bodyChecksum: number;
}

/** How long head and body are, and their checksums. */
export type EntryFacts = Omit<EntryRef, "slot" | "generation" | "firstBlock">;

export class Slots {
  readonly #memory: CacheMemory;

  constructor(memory: CacheMemory) {
    this.#memory = memory;
  }

  /** A word of a slot. */
  get(slot: number, field: number): number {
    return this.#memory.word(this.at(slot, field));
  }

  set(slot: number, field: number, value: number): void {
    this.#memory.words[this.at(slot, field)] = value;
  }

  /** Where a word of a slot lies in the memory. */
  at(slot: number, field: number): number {
    return this.#memory.slotsAt + slot * SLOT_WORDS + field;
  }

  /** Slots that have ever had an entry. */
  get touched(): number {
    return this.#memory.word(SLOTS_TOUCHED);
  }

  /** Whether there is one to take. */
  get hasFree(): boolean {
    return this.#memory.word(FREE_SLOT) !== 0 || this.touched < this.#memory.slots;
  }

  /** Takes a slot, of which there must be one. */
  take(): number {
    const { words } = this.#memory;
    const free = this.#memory.word(FREE_SLOT);
    if (free === 0) {
      words[SLOTS_TOUCHED] = this.touched + 1;
      return this.touched - 1;
    }
    if (free < 0 || free > this.#memory.slots || this.get(free - 1, STATE) !== FREE) {
      throw new Damaged("a slot is free and taken");
    }
    words[FREE_SLOT] = this.get(free - 1, NEXT);
    return free - 1;
  }

  /** Gives back a slot whose entry was given up. */
  giveBack(slot: number): void {
    this.set(slot, STATE, FREE);
    this.set(slot, NEXT, this.#memory.word(FREE_SLOT));
    this.#memory.words[FREE_SLOT] = slot + 1;
  }

  /** The entry in a slot, as it is now. */
  entry(slot: number): EntryRef {
    return {
      slot,
      generation: this.get(slot, GENERATION),
      firstBlock: this.get(slot, FIRST_BLOCK),
      headBytes: this.get(slot, HEAD_BYTES),
      bodyBytes: this.get(slot, BODY_BYTES),
      headChecksum: this.get(slot, HEAD_CHECKSUM),
      bodyChecksum: this.get(slot, BODY_CHECKSUM),
    };
  }

  /** Gives every slot back. */
  reset(): void {
    const { words } = this.#memory;
    for (let slot = 0; slot < Math.min(this.touched, this.#memory.slots); slot++) {
      Atomics.add(words, this.at(slot, GENERATION), 1);
      this.set(slot, STATE, FREE);
    }
    words[FREE_SLOT] = 0;
    words[SLOTS_TOUCHED] = 0;
  }
}
