/**
 * Answers in the memory that all isolates share: what one stores, each finds. What
 * changes blocks or entries has a lock for a matter of nanoseconds; heads and bodies
 * are copied without it, and count only if their entry is still there afterwards.
 *
 * An isolate can end in the midst of a change. Whoever has the lock next sees that and
 * starts over with an empty cache; so does whoever reads bytes that are not those that
 * were written. Either may cost some calls to backends, never a wrong answer.
 */
import { BucketLock } from "../limit/bucket_lock.ts";
import type { Hash } from "../limit/keyed_hash.ts";
import { Blocks, blocksFor } from "./blocks.ts";
import { checksum } from "./checksum.ts";
import { Entries } from "./entries.ts";
import {
  BLOCKS_TAKEN,
  CacheMemory,
  CHANGE_COUNTERS,
  Damaged,
  ENTRIES,
  ISOLATES,
  LOCK,
  PURGES,
  SEED_HIGH,
  SEED_LOW,
  UNDER_CHANGE,
} from "./memory.ts";
import type { EntryRef } from "./slots.ts";

/** Entries that are looked through before others get a turn. */
const PORTION = 256;

export interface Usage {
  readonly entries: number;
  /** What they take of the memory, with all that finding them takes. */
  readonly bytes: number;
  readonly maxBytes: number;
}

export class SharedAnswers {
  /** Which isolate of those on this memory this is, from 0. */
  readonly isolate: number;
  readonly #memory: CacheMemory;
  readonly #lock: BucketLock;
  readonly #blocks: Blocks;
  readonly #entries: Entries;

  constructor(memory: CacheMemory) {
    this.#memory = memory;
    this.isolate = Atomics.add(memory.words, ISOLATES, 1);
    this.#lock = new BucketLock(memory.buffer, this.isolate);
    this.#blocks = new Blocks(memory);
    this.#entries = new Entries(memory, this.#blocks);
  }

  get seed(): Hash {
    return { high: this.#memory.word(SEED_HIGH), low: this.#memory.word(SEED_LOW) };
  }

  get usage(): Usage {
    const maxBytes = this.#memory.buffer.byteLength;
    const share = this.#memory.word(BLOCKS_TAKEN) / this.#memory.blocks;
    return { entries: this.#memory.word(ENTRIES), bytes: Math.ceil(share * maxBytes), maxBytes };
  }

  /** The entries under a hash, the newest one first; nearly always those of one key. */
  find(hash: Hash): readonly EntryRef[] {
    return this.#entries.hasNone(hash) ? [] : this.#locked(() => this.#entries.find(hash)) ?? [];
  }

  /** Whether an entry is still there; a matter of one load. */
  isCurrent(entry: Pick<EntryRef, "slot" | "generation">): boolean {
    return this.#entries.isCurrent(entry);
  }

  /** An entry that is used stays when room is made. */
  use({ slot }: Pick<EntryRef, "slot">): void {
    this.#entries.use(slot);
  }

  /** The head of an entry; null if it was given up meanwhile. */
  head(entry: EntryRef): Uint8Array<ArrayBuffer> | null {
    return this.#read(entry, 0, entry.headBytes, entry.headChecksum);
  }

  /** The body of an entry; null if it was given up meanwhile. */
  body(entry: EntryRef): Uint8Array<ArrayBuffer> | null {
    return this.#read(entry, entry.headBytes, entry.bodyBytes, entry.bodyChecksum);
  }

  /**
   * How often what is under a hash was declared out of date, by a purge or a change. An
   * answer that was asked for before must not be stored after.
   */
  changes({ low }: Hash): number {
    const { words, changesAt } = this.#memory;
    return Atomics.load(words, PURGES) +
      Atomics.load(words, changesAt + (low & CHANGE_COUNTERS - 1));
  }

  /** Declares what is under a hash out of date; what is stored is to be removed then. */
  change({ low }: Hash): void {
    Atomics.add(this.#memory.words, this.#memory.changesAt + (low & CHANGE_COUNTERS - 1), 1);
  }

  /**
   * Stores an answer in place of others. Null if there is no room for it, or if `changes`
   * are not those from when it was asked for.
   */
  store(
    hash: Hash,
    { head, body, replaced, changes }: {
      readonly head: Uint8Array;
      readonly body: Uint8Array;
      readonly replaced: readonly EntryRef[];
      readonly changes: number;
    },
  ): EntryRef | null {
    const blocks = Math.max(1, blocksFor(head.length + body.length));
    if (blocks > this.#memory.blocks) return null;
    const facts = {
      headBytes: head.length,
      bodyBytes: body.length,
      headChecksum: checksum(head),
      bodyChecksum: checksum(body),
    };
    const created = this.#changing(() => this.#entries.create(hash, blocks, facts));
    if (created === null) return null;
    this.#blocks.write(created.chain, [head, body]);
    return this.#changing(() => {
      for (const entry of replaced) this.#entries.remove(entry);
      if (this.changes(hash) === changes && this.#entries.publish(created.ref)) return created.ref;
      this.#entries.remove(created.ref);
      return null;
    });
  }

  /** Gives entries up: how many were still there. */
  remove(entries: readonly EntryRef[]): number {
    if (entries.length === 0) return 0;
    return this.#changing(() => entries.filter((entry) => this.#entries.remove(entry)).length) ?? 0;
  }

  /** Gives up every entry whose head is so: how many. What is being asked for is not stored. */
  async purge(isMeant: (head: Uint8Array<ArrayBuffer>) => boolean): Promise<number> {
    Atomics.add(this.#memory.words, PURGES, 1);
    let purged = 0;
    for (let from = 0; from < this.#entries.touched; from += PORTION) {
      purged += this.remove(
        this.#stored(from).filter((entry) => {
          const head = this.head(entry);
          return head !== null && isMeant(head);
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    return purged;
  }

  /** Gives up every entry: how many. */
  purgeAll(): number {
    Atomics.add(this.#memory.words, PURGES, 1);
    let purged = 0;
    for (let from = 0; from < this.#entries.touched; from += PORTION) {
      purged += this.remove(this.#stored(from));
    }
    return purged;
  }

  /** The entries in a portion of the slots. */
  #stored(from: number): readonly EntryRef[] {
    return this.#locked(() => this.#entries.between(from, from + PORTION)) ?? [];
  }

  #read(
    entry: EntryRef,
    offset: number,
    length: number,
    expected: number,
  ): Uint8Array<ArrayBuffer> | null {
    const copy = this.#blocks.read(entry.firstBlock, offset, length);
    if (!this.#entries.isUnchanged(entry)) return null;
    if (copy !== null && checksum(copy) === expected) return copy;
    this.#locked(() => this.#reset());
    return null;
  }

  /**
   * Does `work`, which changes blocks and entries, alone; null if they
   * turned out to be damaged.
   */
  #changing<T>(work: () => T): T | null {
    return this.#locked(() => {
      this.#memory.words[UNDER_CHANGE] = 1;
      const result = work();
      this.#memory.words[UNDER_CHANGE] = 0;
      return result;
    });
  }

  /** Does `work` alone; null if blocks or entries turned out to be damaged. */
  #locked<T>(work: () => T): T | null {
    this.#lock.acquire(LOCK);
    try {
      if (this.#memory.word(UNDER_CHANGE) !== 0) this.#reset();
      return work();
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      this.#reset();
      return null;
    } finally {
      this.#lock.release(LOCK);
    }
  }

  #reset(): void {
    this.#memory.words[UNDER_CHANGE] = 1;
    this.#blocks.reset();
    this.#entries.reset();
    this.#memory.words[UNDER_CHANGE] = 0;
  }
}
