/**
 * The slots of entries, the buckets by which they are found, and the clock by which
 * they are given up: a hand goes round over the slots and takes back the first entry
 * that nobody has used since it came by the last time. Whoever calls has the lock.
 */
import type { Hash } from "../limit/keyed_hash.ts";
import type { Blocks, Chain } from "./blocks.ts";
import {
  type CacheMemory,
  Damaged,
  ENTRIES,
  FREE_SLOT,
  HAND,
  SLOT_WORDS,
  SLOTS_TOUCHED,
} from "./memory.ts";

/**
 * Grows by one whenever the slot's entry is given up: what was read of it
 * holds as long as it does not.
 */
const GENERATION = 0;
const STATE = 1;
/** Not 0: used since the hand came by. */
const USED = 2;
const HASH_HIGH = 3;
const HASH_LOW = 4;
/** The next slot in the bucket, plus one; of a free slot the next free one. */
const NEXT = 5;
const FIRST_BLOCK = 6;
const LAST_BLOCK = 7;
const BLOCKS = 8;
const HEAD_BYTES = 9;
const BODY_BYTES = 10;
const HEAD_CHECKSUM = 11;
const BODY_CHECKSUM = 12;
/** When it was created, in seconds since the epoch. */
const CREATED = 13;

/** States of a slot. */
const FREE = 0;
/** Somebody writes into its blocks; it is in no bucket. */
const WRITTEN = 1;
const STORED = 2;

/** Seconds after which whoever writes an entry must have ended over it: it takes microseconds. */
const WRITING_MAX = 60;

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

export class Entries {
  readonly #memory: CacheMemory;
  readonly #blocks: Blocks;

  constructor(memory: CacheMemory, blocks: Blocks) {
    this.#memory = memory;
    this.#blocks = blocks;
  }

  /** Whether the entry is still there; without the lock too. */
  isCurrent({ slot, generation }: Pick<EntryRef, "slot" | "generation">): boolean {
    return Atomics.load(this.#memory.words, this.#at(slot, GENERATION)) === generation;
  }

  /**
   * The same for who has read it: with this, no read before it can have happened later.
   * (A plain atomic load lets earlier reads pass it on some processors.)
   */
  isUnchanged({ slot, generation }: Pick<EntryRef, "slot" | "generation">): boolean {
    return Atomics.add(this.#memory.words, this.#at(slot, GENERATION), 0) === generation;
  }

  /** The hand passes it by once; without the lock too. */
  use(slot: number): void {
    const at = this.#at(slot, USED);
    if (this.#memory.words[at] === 0) this.#memory.words[at] = 1;
  }

  /** Whether no entry can be found for this hash; without the lock too. */
  hasNone({ low }: Hash): boolean {
    return Atomics.load(this.#memory.words, this.#bucketOf(low)) === 0;
  }

  /** The entries with this hash, the newest one first. */
  find({ high, low }: Hash): EntryRef[] {
    const found: EntryRef[] = [];
    for (const slot of this.#inBucket(this.#bucketOf(low))) {
      if (this.#get(slot, HASH_HIGH) === (high | 0) && this.#get(slot, HASH_LOW) === (low | 0)) {
        found.push(this.#ref(slot));
      }
    }
    return found;
  }

  /** Every stored entry in the slots from `from` to `to`. */
  between(from: number, to: number): EntryRef[] {
    const found: EntryRef[] = [];
    for (let slot = from; slot < Math.min(to, this.touched); slot++) {
      if (this.#get(slot, STATE) === STORED) found.push(this.#ref(slot));
    }
    return found;
  }

  /** Slots that have ever had an entry. */
  get touched(): number {
    return this.#memory.word(SLOTS_TOUCHED);
  }

  /**
   * A new entry with so many blocks, to be written and then to be
   * `publish`ed; null: there is no room.
   */
  create(
    { high, low }: Hash,
    blocks: number,
    facts: EntryFacts,
  ): { readonly ref: EntryRef; readonly chain: Chain } | null {
    while (this.#blocks.free < blocks || !this.#hasFreeSlot()) {
      if (!this.#evict()) return null;
    }
    const chain = this.#blocks.take(blocks);
    const slot = this.#takeSlot();
    this.#set(slot, STATE, WRITTEN);
    this.#set(slot, USED, 0);
    this.#set(slot, CREATED, secondsNow());
    this.#set(slot, HASH_HIGH, high);
    this.#set(slot, HASH_LOW, low);
    this.#set(slot, FIRST_BLOCK, chain.first);
    this.#set(slot, LAST_BLOCK, chain.last);
    this.#set(slot, BLOCKS, chain.length);
    this.#set(slot, HEAD_BYTES, facts.headBytes);
    this.#set(slot, BODY_BYTES, facts.bodyBytes);
    this.#set(slot, HEAD_CHECKSUM, facts.headChecksum);
    this.#set(slot, BODY_CHECKSUM, facts.bodyChecksum);
    return { ref: this.#ref(slot), chain };
  }

  /** From now on the entry is found. Not if it was given up meanwhile, as all were. */
  publish({ slot, generation }: EntryRef): boolean {
    if (this.#get(slot, GENERATION) !== generation) return false;
    const bucket = this.#bucketOf(this.#get(slot, HASH_LOW));
    this.#set(slot, STATE, STORED);
    this.#set(slot, NEXT, this.#memory.word(bucket));
    this.#memory.words[bucket] = slot + 1;
    this.#memory.words[ENTRIES] = this.#memory.word(ENTRIES) + 1;
    return true;
  }

  /** Gives an entry up, if it is still there: whether it was. */
  remove({ slot, generation }: Pick<EntryRef, "slot" | "generation">): boolean {
    if (this.#get(slot, GENERATION) !== generation) return false;
    Atomics.add(this.#memory.words, this.#at(slot, GENERATION), 1);
    if (this.#get(slot, STATE) === STORED) {
      this.#unlink(slot);
      this.#memory.words[ENTRIES] = this.#memory.word(ENTRIES) - 1;
    }
    this.#blocks.giveBack({
      first: this.#get(slot, FIRST_BLOCK),
      last: this.#get(slot, LAST_BLOCK),
      length: this.#get(slot, BLOCKS),
    });
    this.#set(slot, STATE, FREE);
    this.#set(slot, NEXT, this.#memory.word(FREE_SLOT));
    this.#memory.words[FREE_SLOT] = slot + 1;
    return true;
  }

  /** Gives every entry up, whatever state they are in. */
  reset(): void {
    const { words, bucketsAt, buckets } = this.#memory;
    for (let slot = 0; slot < Math.min(this.touched, this.#memory.slots); slot++) {
      Atomics.add(words, this.#at(slot, GENERATION), 1);
      this.#set(slot, STATE, FREE);
    }
    words.fill(0, bucketsAt, bucketsAt + buckets);
    words[FREE_SLOT] =
      words[SLOTS_TOUCHED] =
      words[HAND] =
      words[ENTRIES] =
        0;
  }

  /** Gives up the entry that the hand finds; false if there is none. */
  #evict(): boolean {
    const { touched } = this;
    for (let looks = 0; looks <= 2 * touched; looks++) {
      const slot = this.#memory.word(HAND) % touched;
      this.#memory.words[HAND] = slot + 1;
      if (!this.#isEvictable(slot)) continue;
      if (this.#get(slot, USED) === 0) {
        return this.remove({ slot, generation: this.#get(slot, GENERATION) });
      }
      this.#set(slot, USED, 0);
    }
    return false;
  }

  /** An entry that is being written stays, unless its isolate must have ended over it. */
  #isEvictable(slot: number): boolean {
    const state = this.#get(slot, STATE);
    return state === STORED ||
      (state === WRITTEN && secondsNow() - this.#get(slot, CREATED) > WRITING_MAX);
  }

  #hasFreeSlot(): boolean {
    return this.#memory.word(FREE_SLOT) !== 0 || this.touched < this.#memory.slots;
  }

  #takeSlot(): number {
    const { words } = this.#memory;
    const free = this.#memory.word(FREE_SLOT);
    if (free === 0) {
      words[SLOTS_TOUCHED] = this.touched + 1;
      return this.touched - 1;
    }
    if (free < 0 || free > this.#memory.slots || this.#get(free - 1, STATE) !== FREE) {
      throw new Damaged("a slot is free and taken");
    }
    words[FREE_SLOT] = this.#get(free - 1, NEXT);
    return free - 1;
  }

  #unlink(slot: number): void {
    const { words } = this.#memory;
    const next = this.#get(slot, NEXT);
    const bucket = this.#bucketOf(this.#get(slot, HASH_LOW));
    if (this.#memory.word(bucket) === slot + 1) {
      words[bucket] = next;
      return;
    }
    for (const before of this.#inBucket(bucket)) {
      if (this.#get(before, NEXT) !== slot + 1) continue;
      this.#set(before, NEXT, next);
      return;
    }
    throw new Damaged("an entry is not in its bucket");
  }

  *#inBucket(bucket: number): Generator<number> {
    let links = 0;
    for (let next = this.#memory.word(bucket); next !== 0; next = this.#get(next - 1, NEXT)) {
      if (next < 0 || next > this.touched || links++ > this.touched) {
        throw new Damaged("a bucket leads nowhere");
      }
      yield next - 1;
    }
  }

  #bucketOf(low: number): number {
    return this.#memory.bucketsAt + (low & this.#memory.buckets - 1);
  }

  #ref(slot: number): EntryRef {
    return {
      slot,
      generation: this.#get(slot, GENERATION),
      firstBlock: this.#get(slot, FIRST_BLOCK),
      headBytes: this.#get(slot, HEAD_BYTES),
      bodyBytes: this.#get(slot, BODY_BYTES),
      headChecksum: this.#get(slot, HEAD_CHECKSUM),
      bodyChecksum: this.#get(slot, BODY_CHECKSUM),
    };
  }

  #at(slot: number, field: number): number {
    return this.#memory.slotsAt + slot * SLOT_WORDS + field;
  }

  #get(slot: number, field: number): number {
    return this.#memory.word(this.#at(slot, field));
  }

  #set(slot: number, field: number, value: number): void {
    this.#memory.words[this.#at(slot, field)] = value;
  }
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}
