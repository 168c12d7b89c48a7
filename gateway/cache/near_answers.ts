/**
 * Answers that this isolate has read from the shared memory, at hand as objects: what
 * is asked for again costs no copy. Each counts only as long as its entry is current.
 */
import type { AnswerHead } from "./answer.ts";
import type { EntryRef } from "./slots.ts";

export interface NearAnswer {
  readonly entry: EntryRef;
  readonly head: AnswerHead;
  /** Null until it was asked for. */
  body: Uint8Array<ArrayBuffer> | null;
}

/** What an object costs besides its bytes, roughly. */
const OBJECT_BYTES = 1024;

/**
 * Two generations: what is used moves to the young one; when that is full it becomes
 * the old one, and what was in the old one and not used meanwhile is forgotten.
 */
export class NearAnswers {
  readonly #generationBytes: number;
  #young = new Map<string, readonly NearAnswer[]>();
  #old = new Map<string, readonly NearAnswer[]>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#generationBytes = maxBytes / 2;
  }

  /** All that are at hand of a key. */
  get(key: string): readonly NearAnswer[] | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  /** None at all: the key is forgotten. */
  set(key: string, answers: readonly NearAnswer[]): void {
    this.#bytes -= bytesOf(this.#young.get(key) ?? []);
    this.#young.delete(key);
    this.#old.delete(key);
    if (answers.length === 0) return;
    this.#young.set(key, answers);
    this.#bytes += bytesOf(answers);
    if (this.#bytes <= this.#generationBytes) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }
}

function bytesOf(answers: readonly NearAnswer[]): number {
  return answers.reduce(
    (sum, { entry }) => sum + OBJECT_BYTES + entry.headBytes + entry.bodyBytes,
    0,
  );
}
