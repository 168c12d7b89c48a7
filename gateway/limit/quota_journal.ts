/**
 * Keeps quotas over a restart, and over the sudden end of the process: counters that
 * have changed are written to the store, packed, at most once a second. So a process
 * that is killed forgets the calls of about its last second.
 *
 * What lies in the store is a journal. An entry holds counters as they stood when it was
 * written; of several that hold the same counter the highest number is true. When the
 * journal has grown enough, every counter is written anew, and the entries before that
 * are deleted. An end halfway leaves entries too many, never a number too low.
 *
 * Of several processes on one store (KV Connect), each counts the calls that it serves;
 * one that starts goes on from the highest number that any of them had written. So with
 * n processes, up to n times a quota may be used.
 */
import { quotaKeys } from "../store/keys.ts";
import { COMMIT_MAX_BYTES, COMMIT_MAX_MUTATIONS, VALUE_MAX_BYTES } from "../store/limits.ts";
import type { Store } from "../store/store.ts";
import { PACKED_WORDS, type PackedCounters, type QuotaCounters } from "./quota_counters.ts";

export interface QuotaJournalOptions {
  /** Told what goes wrong in the background. */
  readonly onProblem: (message: string, facts: Record<string, unknown>) => void;
  /** The time in milliseconds since the epoch. */
  readonly now?: () => number;
  /** Milliseconds between two writes at least. */
  readonly interval?: number;
}

/** Counters in one entry: what a value may hold, less what its serialization adds. */
const ENTRY_COUNTERS = 3000;
const ENTRY_WORDS = ENTRY_COUNTERS * PACKED_WORDS;
const COMMIT_ENTRIES = Math.floor(COMMIT_MAX_BYTES / VALUE_MAX_BYTES);
/** What an entry weighs besides its counters: it has to be read and deleted one day. */
const ENTRY_WEIGHT = 2048;
/** The journal may outgrow the counters by this many bytes before they are written anew. */
const GROWTH_MAX = 1024 * 1024;

export class QuotaJournal {
  readonly #kv: Deno.Kv;
  readonly #counters: QuotaCounters;
  readonly #onProblem: QuotaJournalOptions["onProblem"];
  readonly #now: () => number;
  readonly #writer = crypto.randomUUID();
  #number = 0;
  /** Every entry that this process knows of. */
  #entries: Deno.KvKey[] = [];
  /** Of these entries, what came after all counters had been written. */
  #growth = 0;
  /** What all counters weighed when they were written last. */
  #weight = 0;
  /** Whether writing failed: which counters have changed is known no more. */
  #isBehind = false;
  #writing: Promise<void> | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;

  private constructor(store: Store, counters: QuotaCounters, options: QuotaJournalOptions) {
    this.#kv = store.kv;
    this.#counters = counters;
    this.#onProblem = options.onProblem;
    this.#now = options.now ?? Date.now;
  }

  /** Goes on from what the store has. Calls may be counted when this resolves. */
  static async open(
    store: Store,
    counters: QuotaCounters,
    options: QuotaJournalOptions,
  ): Promise<QuotaJournal> {
    const journal = new QuotaJournal(store, counters, options);
    await journal.#load();
    journal.#timer = setInterval(() => journal.flush(), options.interval ?? 1000);
    return journal;
  }

  /** Writes what has changed. Does not throw: what fails is reported and tried again. */
  flush(): Promise<void> {
    return this.#writing ??= this.#write().finally(() => this.#writing = null);
  }

  /** Writes what has changed, and ends. Close the store after it. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    await this.flush();
  }

  async #load(): Promise<void> {
    const now = this.#now();
    for await (const { key, value } of this.#kv.list<Uint8Array>({ prefix: quotaKeys.journal })) {
      this.#counters.restore(unpacked(value), now);
      this.#entries.push(key);
      this.#growth += value.length + ENTRY_WEIGHT;
    }
  }

  async #write(): Promise<void> {
    const writesAll = this.#isBehind || this.#growth > this.#weight + GROWTH_MAX;
    const counters = writesAll
      ? this.#counters.all(this.#now())
      : this.#counters.changed(this.#now());
    try {
      if (writesAll) await this.#replaceAll(counters);
      else this.#growth += await this.#append(counters);
      this.#noteSuccess();
    } catch (error) {
      this.#noteFailure(error);
    }
  }

  async #replaceAll(counters: PackedCounters): Promise<void> {
    const before = this.#entries;
    this.#entries = [];
    try {
      this.#weight = await this.#append(counters);
      this.#growth = 0;
      while (before.length > 0) {
        await this.#delete(before.slice(-COMMIT_MAX_MUTATIONS));
        before.splice(-COMMIT_MAX_MUTATIONS);
      }
    } finally {
      this.#entries.push(...before); // those that could not be deleted
    }
  }

  /** Gives what was written, in bytes. */
  async #append(counters: PackedCounters): Promise<number> {
    let weight = 0;
    for (let at = 0; at < counters.length; at += ENTRY_WORDS * COMMIT_ENTRIES) {
      weight += await this.#commit(counters.subarray(at, at + ENTRY_WORDS * COMMIT_ENTRIES));
    }
    return weight;
  }

  /** Writes as many counters as one commit takes. */
  async #commit(counters: PackedCounters): Promise<number> {
    const atomic = this.#kv.atomic();
    const keys: Deno.KvKey[] = [];
    for (let at = 0; at < counters.length; at += ENTRY_WORDS) {
      const key = quotaKeys.entry(this.#writer, this.#number++);
      atomic.set(key, packed(counters.subarray(at, at + ENTRY_WORDS)));
      keys.push(key);
    }
    await atomic.commit();
    this.#entries.push(...keys);
    return counters.byteLength + keys.length * ENTRY_WEIGHT;
  }

  async #delete(keys: readonly Deno.KvKey[]): Promise<void> {
    const atomic = this.#kv.atomic();
    for (const key of keys) atomic.delete(key);
    await atomic.commit();
  }

  #noteSuccess(): void {
    if (this.#isBehind) this.#onProblem("quotas are written to the store again", {});
    this.#isBehind = false;
  }

  #noteFailure(error: unknown): void {
    if (!this.#isBehind) {
      this.#onProblem("quotas cannot be written to the store; they go on counting in memory", {
        error: error instanceof Error ? error.message : String(error),
      });
    }
    this.#isBehind = true;
  }
}

/** The store keeps the bytes of a view alone, whatever lies around it. */
function packed(counters: PackedCounters): Uint8Array {
  return new Uint8Array(counters.slice().buffer);
}

function unpacked(entry: Uint8Array): PackedCounters {
  return new Uint32Array(entry.slice().buffer);
}
