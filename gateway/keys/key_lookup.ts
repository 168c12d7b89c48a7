/**
 * Finds who holds a key, on every call, from memory: the holders of keys used
 * lately, and by a set in shared memory which keys there are. A key used lately
 * costs one look-up, an unknown one a hash; only a key not used for long is asked
 * for at the directory. Every serving isolate has one.
 */
import { isWellFormedApiKey } from "./api_key.ts";
import { HolderCache } from "./holder_cache.ts";
import { fingerprintOf, hashApiKey } from "./key_hash.ts";
import { type KnownKeysMemory, KnownKeysReader } from "./known_keys.ts";
import { type KeyHolder, keyHolder, type StoredHolder } from "./key_holder.ts";

/** Keys whose holders stay in memory, a few hundred bytes each. */
const CACHED_HOLDERS = 32_768;

export interface KeyLookupOptions {
  /** What keys are hashed with (`serverSecret`). */
  readonly secret: Uint8Array;
  /** Every key there is, as the directory shares it; null while that is not known. */
  readonly known: KnownKeysMemory | null;
  /** The holder of the key with this hash, from the store; null when there is none. */
  readonly holderOf: (hash: Uint8Array) => Promise<StoredHolder | null>;
}

export class KeyLookup {
  readonly #secret: Uint8Array;
  readonly #holderOf: KeyLookupOptions["holderOf"];
  readonly #cache = new HolderCache(CACHED_HOLDERS);
  /** Reads under way, so that many calls with one key read it once. */
  readonly #reads = new Map<string, Promise<KeyHolder | null>>();
  #known!: KnownKeysReader | null; // set by `follow`
  /** How often something was forgotten. */
  #changes = 0;

  constructor({ secret, known, holderOf }: KeyLookupOptions) {
    this.#secret = secret;
    this.#holderOf = holderOf;
    this.follow(known);
  }

  /**
   * The holder of a clear key, or null when nobody holds it. At once when memory
   * knows; rejects when the store has to be asked and does not answer.
   */
  find(key: string): KeyHolder | null | Promise<KeyHolder | null> {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    if (!isWellFormedApiKey(key) || this.#known?.mayBegin(key) === false) return null;
    const read = this.#reads.get(key);
    if (read !== undefined) return read;
    const hash = hashApiKey(this.#secret, key);
    return this.#known?.mayHold(hash) === false ? null : this.#read(key, hash);
  }

  /** The set of all keys lies in this memory from now on; null: it is not known. */
  follow(known: KnownKeysMemory | null): void {
    this.#known = known === null ? null : new KnownKeysReader(known);
  }

  /** Keys have changed: their holders are read again when next asked for. Null: any may have. */
  forget(fingerprints: readonly Uint8Array[] | null): void {
    this.#changes++;
    this.#reads.clear(); // what they bring may be of before the change
    if (fingerprints === null) return this.#cache.clear();
    for (const fingerprint of fingerprints) this.#cache.drop(fingerprint);
  }

  #read(key: string, hash: Uint8Array): Promise<KeyHolder | null> {
    const read = this.#readHolder(key, hash).finally(() => {
      if (this.#reads.get(key) === read) this.#reads.delete(key);
    });
    this.#reads.set(key, read);
    return read;
  }

  async #readHolder(key: string, hash: Uint8Array): Promise<KeyHolder | null> {
    const changes = this.#changes;
    const stored = await this.#holderOf(hash);
    const holder = stored === null ? null : keyHolder(stored);
    // A change that came in meanwhile may be of this very key: then memory keeps nothing.
    if (holder !== null && changes === this.#changes) {
      this.#cache.set(key, fingerprintOf(hash), holder);
    }
    return holder;
  }
}
