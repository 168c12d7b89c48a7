/**
 * What the store knows of keys, for the isolates that serve calls: a set of every
 * key there is, in memory they share, the holder of each by its hash, and what has
 * changed, told to all of them before whoever changed it goes on.
 */
import type { Logger } from "../process/logger.ts";
import { apiKeyKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { delay, RETRY_DELAY, type Watch, watchKey } from "../store/watch.ts";
import type { StoredHolder } from "./key_holder.ts";
import { KnownKeys, type KnownKeysMemory } from "./known_keys.ts";
import { changesSince, firstRevision, type KeyChange, type KeyRevision } from "./key_revision.ts";

/** Fingerprints read from the store at a time; other work is done in between. */
const LOAD_BATCH = 500;

/** Who has to know of changes; resolves when it does. */
export interface KeyFollower {
  /** The set of all keys lies in this memory from now on. */
  follow(known: KnownKeysMemory | null): unknown;
  /** These keys have changed; null: any may have. */
  forget(fingerprints: readonly Uint8Array[] | null): unknown;
}

export class KeyDirectory {
  readonly #kv: Deno.Kv;
  readonly #log: Logger;
  readonly #watch: Watch;
  readonly #followers = new Set<KeyFollower>();
  readonly #closing = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  /** Null while the keys are not all known. */
  #known: KnownKeys | null = null;
  /** What is being loaded into the place of `#known`. */
  #loading: KnownKeys | null = null;
  #load: Promise<void> = Promise.resolve();
  /** The last revision that memory reflects; null before the first. */
  #sequence: number | null = null;

  /** Loads and follows in the background. */
  constructor(store: Store, log: Logger) {
    this.#kv = store.kv;
    this.#log = log;
    this.#watch = watchKey<KeyRevision>(
      store,
      apiKeyKeys.revision,
      (entry) => this.apply(entry.value ?? firstRevision),
      (error) => log.warn("changes to API keys cannot be followed; trying again", { error }),
    );
  }

  /** Resolves when every key is known. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** What a `KnownKeysReader` reads; null when not every key is known. */
  get known(): KnownKeysMemory | null {
    return this.#known?.memory ?? null;
  }

  /** The holder of the key with this hash, from the store. Rejects when it does not answer. */
  async holderOf(hash: Uint8Array): Promise<StoredHolder | null> {
    const sequence = this.#sequence;
    const { value } = await this.#kv.get<StoredHolder>(apiKeyKeys.holder(hash));
    // Not if it may have been added meanwhile.
    if (value === null && sequence === this.#sequence) this.#known?.delete(hash);
    return value;
  }

  /** `follower` is told of every change from now on. */
  addFollower(follower: KeyFollower): void {
    this.#followers.add(follower);
  }

  removeFollower(follower: KeyFollower): void {
    this.#followers.delete(follower);
  }

  /**
   * Takes in a new revision. The watch brings those of others; whoever changes a key
   * in this process hands its revision over at once. Resolves when every follower
   * has taken it in.
   */
  async apply(revision: KeyRevision): Promise<void> {
    if (this.#sequence !== null && revision.sequence <= this.#sequence) return;
    const changes = this.#sequence === null ? null : changesSince(this.#sequence, revision);
    this.#sequence = revision.sequence;
    const before = this.known?.fingerprints;
    if (changes === null) this.#startOver();
    else this.#takeIn(changes);
    const fingerprints = changes?.map(({ fingerprint }) => fingerprint) ?? null;
    await this.#tell((follower) => [
      this.known?.fingerprints === before ? null : follower.follow(this.known),
      follower.forget(fingerprints),
    ]);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#loading = null;
    await this.#watch.close();
    await this.#load;
  }

  #takeIn(changes: readonly KeyChange[]): void {
    for (const { fingerprint, present, preview } of changes) {
      for (const set of [this.#known, this.#loading]) {
        if (present) set?.add(fingerprint, preview);
        else set?.delete(fingerprint);
      }
    }
  }

  async #tell(tell: (follower: KeyFollower) => unknown[]): Promise<void> {
    await Promise.all([...this.#followers].flatMap(tell));
  }

  /** Forgets everything; until all keys are loaded anew, the store decides. */
  #startOver(): void {
    this.#known?.retire();
    this.#known = null;
    if (this.#closing.signal.aborted) return;
    const previous = this.#load;
    const loading = this.#loading = new KnownKeys();
    this.#load = previous.then(() => this.#loadInto(loading));
  }

  async #loadInto(set: KnownKeys): Promise<void> {
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
  async #addAll(set: KnownKeys): Promise<void> {
    const holders = this.#kv.list<StoredHolder>(
      { prefix: apiKeyKeys.holders },
      { batchSize: LOAD_BATCH },
    );
    for await (const { key, value } of holders) {
      if (this.#loading !== set) return;
      const hash = key.at(-1);
      if (hash instanceof Uint8Array) set.add(hash, value.api_key_preview);
    }
  }

  #loaded(set: KnownKeys): void {
    if (this.#loading !== set) return;
    this.#known = set;
    this.#loading = null;
    this.#tell((follower) => [follower.follow(this.known)]);
    this.#ready.resolve();
  }
}
