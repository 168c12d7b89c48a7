/**
 * Calls that are on their way to a backend while others want the same: those wait for
 * the answer instead of asking too. In one isolate by a promise; between isolates by a
 * slot in shared memory that whoever asks first claims. A claim that is older than
 * anybody would wait is taken over, so an isolate that has ended holds up nobody.
 */
import type { Hash } from "../limit/keyed_hash.ts";
import { type CacheMemory, FLIGHT_WORDS, FLIGHTS } from "./memory.ts";

/** Longest wait for another call's answer, in ms. */
export const PATIENCE = 2000;

/** The words of a slot. What is claimed, as bits of the key's hash; 0: free. */
const CLAIM = 0;
/** When, in ms (the low bits); 0: only just. */
const SINCE = 1;
/** Grows with every end. */
const ENDS = 2;
/** Not 0: somebody waits for the next end. */
const WAITERS = 3;

/** A call that others wait for; `end` must be called whatever becomes of it. */
export interface Flight {
  /** The others look whether there is an answer for them now. Further calls do nothing. */
  end(): void;
}

/** A flight that may be waited for, and when it began, in ms since the epoch. */
interface Awaited {
  readonly end: Promise<void>;
  readonly since: number;
}

export class Flights {
  readonly #memory: CacheMemory;
  /** By key: of this isolate, and those of others that it waits for. */
  readonly #awaited = new Map<string, Awaited>();

  constructor(memory: CacheMemory) {
    this.#memory = memory;
  }

  /**
   * Begins a flight; or gives the end of the one there is, or a promise that it is late.
   * @param now ms since the epoch
   */
  join(key: string, hash: Hash, now: number): Flight | Promise<void> {
    const awaited = this.#awaited.get(key);
    if (awaited !== undefined && now - awaited.since < PATIENCE) return awaited.end;
    const at = this.#memory.flightsAt + (hash.low & FLIGHTS - 1) * FLIGHT_WORDS;
    const claim = hash.high | 1;
    const { words } = this.#memory;
    const ends = Atomics.load(words, at + ENDS);
    const found = Atomics.compareExchange(words, at + CLAIM, 0, claim);
    if (found === 0 || (found === claim && this.#takesOver(at, now))) {
      Atomics.store(words, at + SINCE, timeOf(now));
      return this.#begin(key, now, () => release(words, at, claim));
    }
    // Another key's flight is in that place: within this isolate alone, then.
    if (found !== claim) return this.#begin(key, now, () => {});
    return this.#wait(key, now, at, ends);
  }

  #begin(key: string, now: number, release: () => void): Flight {
    const { promise, resolve } = Promise.withResolvers<void>();
    const landed = this.#await(key, { end: promise, since: now });
    let hasEnded = false;
    return {
      end: () => {
        if (hasEnded) return;
        hasEnded = true;
        landed();
        release();
        resolve();
      },
    };
  }

  #wait(key: string, now: number, at: number, ends: number): Promise<void> {
    const { words } = this.#memory;
    Atomics.add(words, at + WAITERS, 1);
    const wait = Atomics.waitAsync(words, at + ENDS, ends, PATIENCE);
    if (!wait.async) return Promise.resolve();
    const end = wait.value.then(() => landed());
    const landed = this.#await(key, { end, since: now });
    return end;
  }

  /** Has others wait for it, until what is given is called. */
  #await(key: string, awaited: Awaited): () => void {
    this.#awaited.set(key, awaited);
    return () => {
      if (this.#awaited.get(key) === awaited) this.#awaited.delete(key);
    };
  }

  /** Whether the claim is so old that this call takes it over. */
  #takesOver(at: number, now: number): boolean {
    const since = Atomics.load(this.#memory.words, at + SINCE);
    // From now on it ages, should its isolate have ended before it could say so.
    if (since === 0) Atomics.compareExchange(this.#memory.words, at + SINCE, 0, timeOf(now));
    if (since === 0 || Math.abs(timeOf(now) - since) < PATIENCE) return false;
    return Atomics.compareExchange(this.#memory.words, at + SINCE, since, timeOf(now)) === since;
  }
}

/** First the claim, then the news: who is woken may claim anew. */
function release(words: Int32Array, at: number, claim: number): void {
  Atomics.store(words, at + SINCE, 0);
  Atomics.compareExchange(words, at + CLAIM, claim, 0);
  Atomics.add(words, at + ENDS, 1);
  if (Atomics.exchange(words, at + WAITERS, 0) > 0) Atomics.notify(words, at + ENDS);
}

/** Never 0. */
function timeOf(now: number): number {
  return now % 2 ** 31 | 1;
}
