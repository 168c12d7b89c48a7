/**
 * Keys whose answers were not to be stored a short time ago: nobody waits for another
 * call's answer then. All isolates share them; a few bytes each, and two keys that fall
 * together forget or remember too much, which costs nothing but waiting or not.
 */
import type { Hash } from "../limit/keyed_hash.ts";
import { type CacheMemory, PASSED_KEY_WORDS, PASSED_KEYS } from "./memory.ts";

/** Seconds; anew with each answer that is not stored. */
const REMEMBERED = 60;

export class PassedKeys {
  readonly #memory: CacheMemory;

  constructor(memory: CacheMemory) {
    this.#memory = memory;
  }

  /** @param now ms since the epoch */
  has(hash: Hash, now: number): boolean {
    const at = this.#at(hash);
    if (this.#memory.word(at) !== (hash.high | 1)) return false;
    const left = this.#memory.word(at + 1) - secondsOf(now);
    return left > 0 && left <= REMEMBERED;
  }

  add(hash: Hash, now: number): void {
    const at = this.#at(hash);
    this.#memory.words[at] = hash.high | 1;
    this.#memory.words[at + 1] = secondsOf(now) + REMEMBERED;
  }

  delete(hash: Hash): void {
    const at = this.#at(hash);
    if (this.#memory.word(at) === (hash.high | 1)) this.#memory.words[at] = 0;
  }

  #at({ low }: Hash): number {
    return this.#memory.passedKeysAt + (low & PASSED_KEYS - 1) * PASSED_KEY_WORDS;
  }
}

function secondsOf(now: number): number {
  return Math.floor(now / 1000);
}
