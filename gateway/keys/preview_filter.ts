/**
 * A Bloom filter over the visible beginnings of all keys, in memory that isolates
 * share: whoever invents a key is nearly always told apart by this, for a hundredth
 * of what hashing the key costs. It knows nothing that is secret: key previews are
 * shown in the admin and stored in clear.
 */
import { hash32, mixed32 } from "../hash32.ts";
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
    const hash = hash32(preview);
    this.#set(hash);
    this.#set(secondOf(hash));
  }

  /** From now on everything passes: there is a key whose preview is not known. */
  open(): void {
    this.#words.fill(-1);
  }

  /** False only if no key that was added begins as `key` does. */
  mayHold(key: string): boolean {
    const hash = hash32(apiKeyPreview(key));
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

function secondOf(hash: number): number {
  return mixed32(hash ^ 0x9e3779b9);
}
