/**
 * The holders of the keys used lately, by clear key, in bounded memory. Two
 * generations stand in for a list of last uses: a hit costs one look-up and
 * writes nothing; what was not asked for in a whole generation is gone.
 */
import type { KeyHolder } from "./key_holder.ts";

interface Entry {
  readonly holder: KeyHolder;
  readonly fingerprint: string;
}

class Generation {
  readonly byKey = new Map<string, Entry>();
  readonly keys = new Map<string, string>();

  set(key: string, entry: Entry): void {
    this.byKey.set(key, entry);
    this.keys.set(entry.fingerprint, key);
  }

  drop(fingerprint: string): void {
    const key = this.keys.get(fingerprint);
    if (key === undefined) return;
    this.keys.delete(fingerprint);
    this.byKey.delete(key);
  }
}

export class HolderCache {
  readonly #generationSize: number;
  #young = new Generation();
  #old = new Generation();

  /** Holds the last `size` keys used, and at most twice as many. */
  constructor(size: number) {
    this.#generationSize = size;
  }

  get(key: string): KeyHolder | undefined {
    const entry = this.#young.byKey.get(key);
    return entry !== undefined ? entry.holder : this.#revive(key);
  }

  set(key: string, fingerprint: Uint8Array, holder: KeyHolder): void {
    this.#put(key, { holder, fingerprint: spelled(fingerprint) });
  }

  /** Forgets the holder of the key with this fingerprint. */
  drop(fingerprint: Uint8Array): void {
    const spelling = spelled(fingerprint);
    this.#young.drop(spelling);
    this.#old.drop(spelling);
  }

  clear(): void {
    this.#young = new Generation();
    this.#old = new Generation();
  }

  #revive(key: string): KeyHolder | undefined {
    const entry = this.#old.byKey.get(key);
    if (entry === undefined) return undefined;
    this.#put(key, entry);
    return entry.holder;
  }

  #put(key: string, entry: Entry): void {
    if (this.#young.byKey.size >= this.#generationSize) {
      this.#old = this.#young;
      this.#young = new Generation();
    }
    this.#young.set(key, entry);
  }
}

function spelled(fingerprint: Uint8Array): string {
  return fingerprint.toHex();
}
