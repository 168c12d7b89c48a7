/**
 * Where everything lies in the memory that all isolates keep answers in: one
 * `SharedArrayBuffer` of a fixed size. Pages that nothing lies on yet take no memory.
 *
 * An answer is an entry: a slot with facts of a fixed size, and a chain of blocks with
 * its head and body. Entries whose keys have the same hash bits hang on one bucket.
 */

export const BLOCK_BYTES = 1024;
const BLOCK_WORDS = BLOCK_BYTES / 4;

/** Words at the start, each a figure of its own. */
export const LOCK = 0;
/** Not 0 while somebody changes blocks and entries. */
export const UNDER_CHANGE = 1;
/** How many isolates have opened the memory. */
export const ISOLATES = 2;
export const SEED_HIGH = 3;
export const SEED_LOW = 4;
/** The first free block or slot, plus one; 0: none was given back. */
export const FREE_BLOCK = 5;
export const FREE_SLOT = 6;
/** How many blocks or slots were ever taken: those behind them are untouched. */
export const BLOCKS_TOUCHED = 7;
export const SLOTS_TOUCHED = 8;
/** The slot that eviction looks at next. */
export const HAND = 9;
export const ENTRIES = 10;
export const BLOCKS_TAKEN = 11;
/** How many purges there were. */
export const PURGES = 12;
const HEAD_WORDS = 64;

/** Hits and misses are counted by each isolate in a cell of its own, as two 64-bit floats. */
export const COUNTER_CELLS = 64;
export const COUNTERS = HEAD_WORDS;
const COUNTER_WORDS = COUNTER_CELLS * 4;

/** Calls that others wait for; a power of two. */
export const FLIGHTS = 4096;
export const FLIGHT_WORDS = 4;
/** Keys whose answers are not stored; a power of two. */
export const PASSED_KEYS = 16_384;
export const PASSED_KEY_WORDS = 2;
/** Changes by unsafe methods, counted by hash; a power of two. */
export const CHANGE_COUNTERS = 1024;

const FLIGHTS_AT = COUNTERS + COUNTER_WORDS;
const PASSED_KEYS_AT = FLIGHTS_AT + FLIGHTS * FLIGHT_WORDS;
const CHANGES_AT = PASSED_KEYS_AT + PASSED_KEYS * PASSED_KEY_WORDS;
const BUCKETS_AT = CHANGES_AT + CHANGE_COUNTERS;

/** The words of a slot. */
export const SLOT_WORDS = 16;
/** Many answers are small, but none takes less than one block. */
const BLOCKS_A_SLOT = 2;

/** The least that makes sense: a few hundred small answers. */
export const MEMORY_MIN_BYTES = 2 ** 20;

/** Memory for the answers of a whole process; each isolate has an `AnswerCache` on it. */
export function newCacheMemory(bytes: number): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes - bytes % 8);
  // Random values cannot be drawn into shared memory.
  const seed = crypto.getRandomValues(new Uint32Array(2));
  new Uint32Array(memory).set(seed, SEED_HIGH);
  return memory;
}

/** A view on such memory: its words, its bytes and where each part begins. */
export class CacheMemory {
  readonly words: Int32Array;
  readonly bytes: Uint8Array;
  readonly blocks: number;
  readonly slots: number;
  /** A power of two. */
  readonly buckets: number;
  readonly flightsAt = FLIGHTS_AT;
  readonly passedKeysAt = PASSED_KEYS_AT;
  readonly changesAt = CHANGES_AT;
  readonly bucketsAt = BUCKETS_AT;
  readonly slotsAt: number;
  /** For each block the one behind it in its chain, plus one; 0 ends the chain. */
  readonly chainsAt: number;
  /** In bytes. */
  readonly blocksAt: number;

  constructor(readonly buffer: SharedArrayBuffer) {
    this.words = new Int32Array(buffer);
    this.bytes = new Uint8Array(buffer);
    const free = this.words.length - BUCKETS_AT;
    // At most two words of buckets for a slot: they are rounded up to a power of two.
    const perBlock = BLOCK_WORDS + 1 + (SLOT_WORDS + 2) / BLOCKS_A_SLOT;
    this.blocks = Math.floor(free / perBlock);
    this.slots = Math.floor(this.blocks / BLOCKS_A_SLOT);
    this.buckets = 2 ** Math.ceil(Math.log2(Math.max(1, this.slots)));
    this.slotsAt = BUCKETS_AT + this.buckets;
    this.chainsAt = this.slotsAt + this.slots * SLOT_WORDS;
    this.blocksAt = (this.chainsAt + this.blocks) * 4;
  }

  word(at: number): number {
    return this.words[at] ?? 0;
  }
}

/** What lies in the memory cannot be: somebody ended in the midst of a change. */
export class Damaged extends Error {
  override readonly name = "Damaged";
}
