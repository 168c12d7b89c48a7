/**
 * A table that all isolates count calls in: shared memory of a fixed size, however
 * many callers there are. Pages that no counter lies on yet take no memory.
 *
 * A counter lies in the bucket that its key names and nowhere else, so one look at
 * 256 bytes (a lock and nine slots) finds it, or finds that there is none. A full
 * bucket makes room for a new counter by giving up one that is over, else the one of
 * which the smallest part of its limit is used. So a flood of new addresses pushes out
 * its own kind: a counter with a part of its limit used is only forgotten while the
 * eight others in its bucket are in use with as large a part or more. Which keys share
 * a bucket depends on a random seed, so nobody can aim at one.
 */
import { BucketLock } from "./bucket_lock.ts";
import type { Hash } from "./keyed_hash.ts";

/** A power of two. */
export const COUNTER_BUCKETS = 65_536;
const SLOTS = 9;

/** The words (32 bits) of a slot. */
const KEY_HIGH = 0;
const KEY_LOW = 1;
/** Which period `CURRENT` counts: its start divided by the duration. */
const PERIOD = 2;
const CURRENT = 3;
const PREVIOUS = 4;
/** When the counter says nothing any more, in seconds since the epoch. */
const EXPIRES = 5;
/** How many calls the limit allows. */
const CALLS = 6;
const SLOT_WORDS = 7;
/** The first word of a bucket is its lock. */
const BUCKET_WORDS = 1 + SLOTS * SLOT_WORDS;

/** Words before the first bucket; a bucket's worth, so that none lies across cache lines. */
const HEAD_WORDS = BUCKET_WORDS;
const SEED_HIGH = 0;
const SEED_LOW = 1;
/** How many tables have been opened on the memory. */
const ISOLATES = 2;

/** 16 MiB. */
const MEMORY_BYTES = (HEAD_WORDS + COUNTER_BUCKETS * BUCKET_WORDS) *
  Uint32Array.BYTES_PER_ELEMENT;

/** Longer than any counter can have to live: two of the longest durations, in seconds. */
const LONGEST_LIFE = 3 * 366 * 86_400;

/** Memory for a table of a whole process; each isolate has a `CounterTable` on it. */
export function newCounterMemory(seed: Hash): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(MEMORY_BYTES);
  const words = new Uint32Array(memory);
  words[SEED_HIGH] = seed.high;
  words[SEED_LOW] = seed.low;
  return memory;
}

/** A view on the table, with one counter at a time in hand, which nobody else can touch. */
export class CounterTable {
  readonly #words: Uint32Array;
  readonly #lock: BucketLock;
  /** Where the bucket in hand begins. */
  #bucket = 0;
  /** Where the counter in hand begins. */
  #slot = 0;
  #keyHigh = 0;
  #keyLow = 0;

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Uint32Array(memory);
    this.#lock = new BucketLock(memory, Atomics.add(this.#words, ISOLATES, 1));
  }

  get seed(): Hash {
    return { high: this.#words[SEED_HIGH] ?? 0, low: this.#words[SEED_LOW] ?? 0 };
  }

  /**
   * Takes in hand the counter of a kind of limit, a bucket and a subject, if there is one.
   * Its bucket of the table is locked, there or not, until `close`: a matter of a few dozen
   * instructions.
   */
  open(kind: Hash, bucket: Hash, subject: Hash): boolean {
    // Each of the three is as good as random, so no two counters have the same key.
    const high = kind.high ^ bucket.high ^ subject.high;
    return this.#open(high, kind.low ^ bucket.low ^ subject.low);
  }

  /** The same by the key that the counter in hand had. */
  openKey({ high, low }: Hash): boolean {
    return this.#open(high, low);
  }

  #open(high: number, low: number): boolean {
    this.#keyHigh = high >>> 0;
    this.#keyLow = low >>> 0;
    this.#bucket = HEAD_WORDS + (high & COUNTER_BUCKETS - 1) * BUCKET_WORDS;
    this.#lock.acquire(this.#bucket);
    for (let slot = this.#bucket + 1; slot < this.#bucket + BUCKET_WORDS; slot += SLOT_WORDS) {
      this.#slot = slot;
      if (this.#get(KEY_HIGH) === this.#keyHigh && this.#get(KEY_LOW) === this.#keyLow) return true;
    }
    return false;
  }

  /** Takes a new counter in hand for the key that `open` did not find. */
  create(now: number): void {
    this.#slot = this.#leastValuable(now / 1000);
    // The key last: an isolate that ends half-way leaves no counter with another's calls.
    this.#words.fill(0, this.#slot, this.#slot + SLOT_WORDS);
    this.#set(KEY_HIGH, this.#keyHigh);
    this.#set(KEY_LOW, this.#keyLow);
  }

  close(): void {
    this.#lock.release(this.#bucket);
  }

  /** Takes in hand, one after another, the counters of a bucket that are not over; `now` in ms. */
  visit(bucket: number, now: number, visitor: () => void): void {
    this.#bucket = HEAD_WORDS + bucket * BUCKET_WORDS;
    this.#lock.acquire(this.#bucket);
    for (let slot = this.#bucket + 1; slot < this.#bucket + BUCKET_WORDS; slot += SLOT_WORDS) {
      this.#slot = slot;
      if (!isOver(this.#get(EXPIRES), now / 1000)) visitor();
    }
    this.close();
  }

  /** Number of the bucket that the counter in hand lies in. */
  get bucket(): number {
    return (this.#bucket - HEAD_WORDS) / BUCKET_WORDS;
  }

  /** What the counter in hand was opened with. */
  get key(): Hash {
    return { high: this.#get(KEY_HIGH), low: this.#get(KEY_LOW) };
  }

  /** Which period of its limit the counter in hand counts; 0 for a new one. */
  get period(): number {
    return this.#get(PERIOD);
  }

  /** Calls in that period. */
  get current(): number {
    return this.#get(CURRENT);
  }

  set current(calls: number) {
    this.#set(CURRENT, calls);
  }

  /** Calls in the period before. */
  get previous(): number {
    return this.#get(PREVIOUS);
  }

  /** How many calls its limit allows, as of when the period began. */
  get calls(): number {
    return this.#get(CALLS);
  }

  /**
   * Starts the counter in hand on a period, with the calls that count in it.
   * @param calls that its limit allows
   * @param expires when it says nothing any more, ms since the epoch
   */
  enter(period: number, previous: number, current: number, calls: number, expires: number): void {
    this.#set(PREVIOUS, previous);
    this.#set(CURRENT, current);
    this.#set(PERIOD, period);
    this.#set(CALLS, calls);
    this.#set(EXPIRES, Math.ceil(expires / 1000));
  }

  /** The slot to give up in the bucket in hand; `now` in seconds. */
  #leastValuable(now: number): number {
    let least = 0;
    let leastUsed = Infinity;
    let leastExpires = 0;
    for (let slot = this.#bucket + 1; slot < this.#bucket + BUCKET_WORDS; slot += SLOT_WORDS) {
      this.#slot = slot;
      const expires = this.#get(EXPIRES);
      const used = isOver(expires, now)
        ? -1
        : (this.#get(CURRENT) + this.#get(PREVIOUS)) / this.#get(CALLS);
      if (used < leastUsed || (used === leastUsed && expires < leastExpires)) {
        [least, leastUsed, leastExpires] = [slot, used, expires];
      }
    }
    return least;
  }

  #get(field: number): number {
    return this.#words[this.#slot + field] ?? 0;
  }

  #set(field: number, value: number): void {
    this.#words[this.#slot + field] = value;
  }
}

/** Seconds since the epoch; a counter that would live too long is from when the clock was wrong. */
function isOver(expires: number, now: number): boolean {
  return expires <= now || expires > now + LONGEST_LIFE;
}
