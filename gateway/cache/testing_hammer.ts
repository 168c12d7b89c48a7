/**
 * An isolate for the tests that stores and reads answers, all at once with its siblings
 * on the same memory. What an answer is follows from its key, so each can be checked.
 */
import { Buffer } from "node:buffer";
import type { AnswerHead } from "./answer.ts";
import { AnswerCache } from "./answer_cache.ts";

export interface HammerTask {
  readonly memory: SharedArrayBuffer;
  /** Counts the isolates that are ready: they begin together. */
  readonly start: SharedArrayBuffer;
  readonly isolates: number;
  readonly seed: number;
  readonly keys: number;
  readonly rounds: number;
}

export interface HammerReport {
  readonly hits: number;
  readonly stored: number;
  /** Answers that were not what was stored under their key. */
  readonly wrong: number;
}

const scope = self as unknown as {
  postMessage(report: HammerReport): void;
  onmessage: (event: MessageEvent<HammerTask>) => void;
};

scope.onmessage = ({ data: { memory, start, isolates, seed, keys, rounds } }) => {
  // Next to nothing at hand, so that nearly every read is one of the shared memory.
  const cache = new AnswerCache(memory, {
    entryMaxBytes: 2 ** 20,
    nearMaxBytes: 4096,
    copiesMaxBytes: 0,
  });
  const ready = new Int32Array(start);
  Atomics.add(ready, 0, 1);
  while (Atomics.load(ready, 0) < isolates);
  let random = seed;
  const report = { hits: 0, stored: 0, wrong: 0 };
  for (let round = 0; round < rounds; round++) {
    random = Math.imul(random, 1_103_515_245) + 12_345 >>> 0;
    const key = `key ${(random >>> 8) % keys}`;
    const found = cache.find({ key, target: "/", headers: [] });
    if (found !== null) {
      report.hits++;
      if (!isFor(key, found.head, found.body)) report.wrong++;
    } else if (cache.store(cache.asking(key), headOf(key), bodyOf(key, random))) report.stored++;
    if (random % 64 === 0) cache.invalidate(key);
  }
  scope.postMessage(report);
};

function headOf(key: string): AnswerHead {
  return {
    key,
    target: "/",
    vary: [],
    status: 200,
    headers: [["x-key", key]],
    receivedAt: Date.now(),
    initialAge: 0,
    lifetime: 3600,
  };
}

/** The key over and over, to a length between nothing and 40 KiB. */
function bodyOf(key: string, random: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(`${key};`.repeat(random % 4000)));
}

function isFor(key: string, head: AnswerHead, body: Uint8Array<ArrayBuffer>): boolean {
  const text = Buffer.from(body).toString();
  const unit = `${key};`;
  return head.headers[0]?.[1] === key && text === unit.repeat(text.length / unit.length);
}
