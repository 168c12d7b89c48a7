/**
 * A Bloom filter over the visible beginnings of all keys, in memory that isolates
 * share: whoever invents a key is nearly always told apart by this, for a hundredth
 * of what hashing the key costs. It knows nothing that is secret: key previews are
 * shown in the admin and stored in clear.
 */
import { apiKeyPreview } from "./api_key.ts";

/** 2 MiB: of invented keys, 1 in 80 passes where there are a million real ones. */
const BITS = 2 ** 24;

export class PreviewFilter {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;

  /** Reads what another one has written to `memory`; an empty one of its own when absent. */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(BITS / 8)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  add(preview: string): void {
    const hash = hashOf(preview);
    this.#set(hash);
    this.#set(secondOf(hash));
  }

  /** From now on everything passes: there is a key whose preview is not known. */
  open(): void {
    this.#words.fill(-1);
  }

  /** False only if no key that was added begins as `key` does. */
  mayHold(key: string): boolean {
    const hash = hashOf(apiKeyPreview(key));
    return this.#isSet(hash) && this.#isSet(secondOf(hash));
  }

  #set(hash: number): void {
    const bit = hash & (BITS - 1);
    Atomics.or(this.#words, bit >>> 5, 1 << (bit & 31));
  }

  #isSet(hash: number): boolean {
    const bit = hash & (BITS - 1);
    return (Atomics.load(this.#words, bit >>> 5) & (1 << (bit & 31))) !== 0;
  }
}

/** FNV-1a over the characters, 32 bits, its bits mixed once more. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return mixed(hash);
}

function secondOf(hash: number): number {
  return mixed(hash ^ 0x9e3779b9);
}

/** The finalizer of MurmurHash3. */
function mixed(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
