/**
 * The buckets by which entries are found, and the clock by which they are given up: a hand goes round over the slots and takes back the first entry
 * that nobody has used since it came by the last time. Whoever calls has the lock.
 */
import type { Hash } from "../limit/keyed_hash.ts";
import type { Blocks, Chain } from "./blocks.ts";
import { type CacheMemory, Damaged, ENTRIES, HAND } from "./memory.ts";
import {
  BLOCKS,
  BODY_BYTES,
  BODY_CHECKSUM,
  CREATED,
  type EntryFacts,
  type EntryRef,
  FIRST_BLOCK,
  GENERATION,
  HASH_HIGH,
  HASH_LOW,
  HEAD_BYTES,
  HEAD_CHECKSUM,
  LAST_BLOCK,
  NEXT,
  Slots,
  STATE,
  STORED,
  USED,
  WRITTEN,
} from "./slots.ts";

/** Seconds after which whoever writes an entry must have ended over it: it takes microseconds. */
const WRITING_MAX = 60;

export class Entries {
  readonly #memory: CacheMemory;
  readonly #blocks: Blocks;
  readonly #slots: Slots;

  constructor(memory: CacheMemory, blocks: Blocks) {
    this.#memory = memory;
    this.#blocks = blocks;
    this.#slots = new Slots(memory);
  }

  /** Whether the entry is still there; without the lock too. */
  isCurrent({ slot, generation }: Pick<EntryRef, "slot" | "generation">): boolean {
    return Atomics.load(this.#memory.words, this.#slots.at(slot, GENERATION)) === generation;
  }

  /**
   * The same for who has read it: with this, no read before it can have happened later.
   * (A plain atomic load lets earlier reads pass it on some processors.)
   */
  isUnchanged({ slot, generation }: Pick<EntryRef, "slot" | "generation">): boolean {
    return Atomics.add(this.#memory.words, this.#slots.at(slot, GENERATION), 0) === generation;
  }

  /** The hand passes it by once; without the lock too. */
  use(slot: number): void {
    const at = this.#slots.at(slot, USED);
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
      if (
        this.#slots.get(slot, HASH_HIGH) === (high | 0) &&
        this.#slots.get(slot, HASH_LOW) === (low | 0)
      ) {
        found.push(this.#slots.entry(slot));
      }
    }
    return found;
  }

  /** How many slots there are to look through for entries. */
  get touched(): number {
    return this.#slots.touched;
  }

  /** Every stored entry in the slots from `from` to `to`. */
  between(from: number, to: number): EntryRef[] {
    const found: EntryRef[] = [];
    for (let slot = from; slot < Math.min(to, this.#slots.touched); slot++) {
      if (this.#slots.get(slot, STATE) === STORED) found.push(this.#slots.entry(slot));
    }
    return found;
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
    while (this.#blocks.free < blocks || !this.#slots.hasFree) {
      if (!this.#evict()) return null;
    }
    const chain = this.#blocks.take(blocks);
    const slot = this.#slots.take();
    this.#slots.set(slot, STATE, WRITTEN);
    this.#slots.set(slot, USED, 0);
    this.#slots.set(slot, CREATED, secondsNow());
    this.#slots.set(slot, HASH_HIGH, high);
    this.#slots.set(slot, HASH_LOW, low);
    this.#slots.set(slot, FIRST_BLOCK, chain.first);
    this.#slots.set(slot, LAST_BLOCK, chain.last);
    this.#slots.set(slot, BLOCKS, chain.length);
    this.#slots.set(slot, HEAD_BYTES, facts.headBytes);
    this.#slots.set(slot, BODY_BYTES, facts.bodyBytes);
    this.#slots.set(slot, HEAD_CHECKSUM, facts.headChecksum);
    this.#slots.set(slot, BODY_CHECKSUM, facts.bodyChecksum);
    return { ref: this.#slots.entry(slot), chain };
  }

  /** From now on the entry is found. Not if it was given up meanwhile, as all were. */
  publish({ slot, generation }: EntryRef): boolean {
    if (this.#slots.get(slot, GENERATION) !== generation) return false;
    const bucket = this.#bucketOf(this.#slots.get(slot, HASH_LOW));
    this.#slots.set(slot, STATE, STORED);
    this.#slots.set(slot, NEXT, this.#memory.word(bucket));
    this.#memory.words[bucket] = slot + 1;
    this.#memory.words[ENTRIES] = this.#memory.word(ENTRIES) + 1;
    return true;
  }

  /** Gives an entry up, if it is still there: whether it was. */
  remove({ slot, generation }: Pick<EntryRef, "slot" | "generation">): boolean {
    if (this.#slots.get(slot, GENERATION) !== generation) return false;
    Atomics.add(this.#memory.words, this.#slots.at(slot, GENERATION), 1);
    if (this.#slots.get(slot, STATE) === STORED) {
      this.#unlink(slot);
      this.#memory.words[ENTRIES] = this.#memory.word(ENTRIES) - 1;
    }
    this.#blocks.giveBack({
      first: this.#slots.get(slot, FIRST_BLOCK),
      last: this.#slots.get(slot, LAST_BLOCK),
      length: this.#slots.get(slot, BLOCKS),
    });
    this.#slots.giveBack(slot);
    return true;
  }

  /** Gives every entry up, whatever state they are in. */
  reset(): void {
    const { words, bucketsAt, buckets } = this.#memory;
    this.#slots.reset();
    words.fill(0, bucketsAt, bucketsAt + buckets);
    words[HAND] = 0;
    words[ENTRIES] = 0;
  }

  /** Gives up the entry that the hand finds; false if there is none. */
  #evict(): boolean {
    const { touched } = this.#slots;
    for (let looks = 0; looks <= 2 * touched; looks++) {
      const slot = this.#memory.word(HAND) % touched;
      this.#memory.words[HAND] = slot + 1;
      if (!this.#isEvictable(slot)) continue;
      if (this.#slots.get(slot, USED) === 0) {
        return this.remove({ slot, generation: this.#slots.get(slot, GENERATION) });
      }
      this.#slots.set(slot, USED, 0);
    }
    return false;
  }

  /** An entry that is being written stays, unless its isolate must have ended over it. */
  #isEvictable(slot: number): boolean {
    const state = this.#slots.get(slot, STATE);
    return state === STORED ||
      (state === WRITTEN && secondsNow() - this.#slots.get(slot, CREATED) > WRITING_MAX);
  }

  #unlink(slot: number): void {
    const { words } = this.#memory;
    const next = this.#slots.get(slot, NEXT);
    const bucket = this.#bucketOf(this.#slots.get(slot, HASH_LOW));
    if (this.#memory.word(bucket) === slot + 1) {
      words[bucket] = next;
      return;
    }
    for (const before of this.#inBucket(bucket)) {
      if (this.#slots.get(before, NEXT) !== slot + 1) continue;
      this.#slots.set(before, NEXT, next);
      return;
    }
    throw new Damaged("an entry is not in its bucket");
  }

  *#inBucket(bucket: number): Generator<number> {
    let links = 0;
    for (let next = this.#memory.word(bucket); next !== 0; next = this.#slots.get(next - 1, NEXT)) {
      if (next < 0 || next > this.#slots.touched || links++ > this.#slots.touched) {
        throw new Damaged("a bucket leads nowhere");
      }
      yield next - 1;
    }
  }

  #bucketOf(low: number): number {
    return this.#memory.bucketsAt + (low & this.#memory.buckets - 1);
  }
}

function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}
