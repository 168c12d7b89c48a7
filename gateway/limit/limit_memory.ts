/**
 * The shared memory that all isolates count calls in: made once a process, in the main
 * isolate, and handed to each one that serves.
 */
import { createHmac } from "node:crypto";
import { newChangeMarks } from "./change_marks.ts";
import { newCounterMemory } from "./counter_table.ts";
import type { Hash } from "./keyed_hash.ts";

export interface LimitMemory {
  /** Counters of rate limits, which end with the process. */
  readonly rates: SharedArrayBuffer;
  /**
   * Counters of quotas: in a table of their own, so that a flood of
   * callers does not push them out.
   */
  readonly quotas: SharedArrayBuffer;
  /** Which of the latter are to be written to the store (`ChangeMarks`). */
  readonly changedQuotas: SharedArrayBuffer;
}

/** `seed`: callers are counted under its hashes; nobody may know it. */
export function newLimitMemory(seed: Hash = randomSeed()): LimitMemory {
  return {
    rates: newCounterMemory(seed),
    quotas: newCounterMemory(seed),
    changedQuotas: newChangeMarks(),
  };
}

/** A seed that is the same after a restart, so that what was counted can be found again. */
export function seedOf(secret: Uint8Array): Hash {
  const bytes = createHmac("sha256", secret).update("limits").digest();
  return { high: bytes.readUInt32LE(0), low: bytes.readUInt32LE(4) };
}

function randomSeed(): Hash {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return { high, low };
}
