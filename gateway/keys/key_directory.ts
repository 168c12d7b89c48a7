/**
 * Finds who holds a key, on every call, from memory. Three things are known here:
 * the holders of keys used lately, the fingerprint of every key there is, and
 * which revision of the keys that is. A key used lately costs one look-up, an
 * unknown one a hash; only a key not used for long is read from the store.
 */
import type { Logger } from "../process/logger.ts";
import { apiKeyKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { delay, RETRY_DELAY, type Watch, watchKey } from "../store/watch.ts";
import { isWellFormedApiKey } from "./api_key.ts";
import { FingerprintSet } from "./fingerprint_set.ts";
import { HolderCache } from "./holder_cache.ts";
import { fingerprintOf, hashApiKey } from "./key_hash.ts";
import { type KeyHolder, keyHolder, type StoredHolder } from "./key_holder.ts";
import { changesSince, firstRevision, type KeyRevision } from "./key_revision.ts";

export type { KeyHolder } from "./key_holder.ts";

/** Keys whose holders stay in memory, a few hundred bytes each. */
const CACHED_HOLDERS = 32_768;
/** Fingerprints read from the store at a time; calls are served in between. */
const LOAD_BATCH = 500;

export class KeyDirectory {
  readonly #kv: Deno.Kv;
  readonly #secret: Uint8Array;
  readonly #log: Logger;
  readonly #watch: Watch;
  readonly #cache = new HolderCache(CACHED_HOLDERS);
  /** Reads under way, so that many calls with one key read it once. */
  readonly #reads = new Map<string, Promise<KeyHolder | null>>();
  readonly #closing = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  /** The fingerprint of every key; null while they are not all known. */
  #known: FingerprintSet | null = null;
  /** What is being loaded into the place of `#known`. */
  #loading: FingerprintSet | null = null;
  #load: Promise<void> = Promise.resolve();
  /** The last revision that memory reflects; null before the first. */
  #sequence: number | null = null;

  /** `secret` is what keys are hashed with (`serverSecret`). Loads and follows in the background. */
  constructor(store: Store, secret: Uint8Array, log: Logger) {
    this.#kv = store.kv;
    this.#secret = secret;
    this.#log = log;
    this.#watch = watchKey<KeyRevision>(
      store,
      apiKeyKeys.revision,
      (entry) => Promise.resolve(this.apply(entry.value ?? firstRevision)),
      (error) => log.warn("Changes to API keys cannot be followed; trying again", { error }),
    );
  }

  /** Resolves when every key is known. Keys are found before, with a read for unknown ones too. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /**
   * The holder of a clear key, or null when nobody holds it. At once when memory
   * knows; rejects when the store has to be asked and does not answer.
   */
  find(key: string): KeyHolder | null | Promise<KeyHolder | null> {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    if (!isWellFormedApiKey(key)) return null;
    const read = this.#reads.get(key);
    if (read !== undefined) return read;
    const hash = hashApiKey(this.#secret, key);
    return this.#known === null || this.#known.has(hash) ? this.#read(key, hash) : null;
  }

  /**
   * Takes in a new revision: what changed is forgotten, and read again when next
   * asked for. The watch brings those of others; whoever changes a key in this
   * process hands its revision over at once.
   */
  apply(revision: KeyRevision): void {
    if (this.#sequence !== null && revision.sequence <= this.#sequence) return;
    const changes = this.#sequence === null ? null : changesSince(this.#sequence, revision);
    this.#sequence = revision.sequence;
    this.#reads.clear(); // what they bring may be of before the change
    if (changes === null) return this.#startOver();
    for (const { fingerprint, present } of changes) {
      this.#cache.drop(fingerprint);
      for (const set of [this.#known, this.#loading]) {
        if (present) set?.add(fingerprint);
        else set?.delete(fingerprint);
      }
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#loading = null;
    await this.#watch.close();
    await this.#load;
    await Promise.allSettled(this.#reads.values());
  }

  #read(key: string, hash: Uint8Array): Promise<KeyHolder | null> {
    const read = this.#readHolder(key, hash).finally(() => {
      if (this.#reads.get(key) === read) this.#reads.delete(key);
    });
    this.#reads.set(key, read);
    return read;
  }

  async #readHolder(key: string, hash: Uint8Array): Promise<KeyHolder | null> {
    const sequence = this.#sequence;
    const { value } = await this.#kv.get<StoredHolder>(apiKeyKeys.holder(hash));
    const holder = value === null ? null : keyHolder(value);
    // A change that came in meanwhile may be of this very key: then memory keeps nothing.
    if (sequence !== this.#sequence) return holder;
    if (holder === null) this.#known?.delete(hash);
    else this.#cache.set(key, fingerprintOf(hash), holder);
    return holder;
  }

  /** Forgets everything; until all keys are loaded anew, the store decides. */
  #startOver(): void {
    this.#cache.clear();
    this.#known = null;
    if (this.#closing.signal.aborted) return;
    const previous = this.#load;
    const loading = this.#loading = new FingerprintSet();
    this.#load = previous.then(() => this.#loadInto(loading));
  }

  async #loadInto(set: FingerprintSet): Promise<void> {
    while (this.#loading === set) {
      try {
        await this.#addAll(set);
        return this.#loaded(set);
      } catch (error) {
        this.#log.warn("API keys cannot be loaded; trying again", { error });
        await delay(RETRY_DELAY, this.#closing.signal);
      }
    }
  }

  /** Leaves off when the set is no longer wanted. */
  async #addAll(set: FingerprintSet): Promise<void> {
    const holders = this.#kv.list<StoredHolder>(
      { prefix: apiKeyKeys.holders },
      { batchSize: LOAD_BATCH },
    );
    for await (const { key } of holders) {
      if (this.#loading !== set) return;
      const hash = key.at(-1);
      if (hash instanceof Uint8Array) set.add(hash);
    }
  }

  #loaded(set: FingerprintSet): void {
    if (this.#loading !== set) return;
    this.#known = set;
    this.#loading = null;
    this.#ready.resolve();
  }
}
