/**
 * The cache as one isolate has it: answers that are shared by all isolates, with those
 * used here lately at hand. It stores what it is given; what may be stored, and what a
 * caller gets of it, is decided elsewhere (`storable.ts`, `present.ts`).
 */
import { combinedValue } from "../exchange/header_fields.ts";
import { type Hash, KeyedHash } from "../limit/keyed_hash.ts";
import { type AnswerHead, decodeHead, encodeHead, isAnswerTo, isFresh } from "./answer.ts";
import { Counters } from "./counters.ts";
import { type Flight, Flights } from "./flights.ts";
import { CacheMemory } from "./memory.ts";
import { type NearAnswer, NearAnswers } from "./near_answers.ts";
import { PassedKeys } from "./passed_keys.ts";
import type { CacheableRequest } from "./request.ts";
import { Room } from "./room.ts";
import { SharedAnswers } from "./shared_answers.ts";
import type { EntryRef } from "./slots.ts";

export interface AnswerCacheOptions {
  /** Bytes of body that an answer may have to be stored. */
  readonly entryMaxBytes: number;
  /** Bytes of answers that this isolate may have at hand besides. */
  readonly nearMaxBytes: number;
  /** Bytes of those on their way to callers that it may have copied. */
  readonly copiesMaxBytes: number;
  /** Ms since the epoch; the machine's clock when absent. */
  readonly clock?: () => number;
}

/** Answers to one URL that are kept, by the fields that they vary by. */
const VARIANTS_MAX = 16;

/** What tells requests apart that have answers of their own. */
type AskedFor = Pick<CacheableRequest, "key" | "target" | "headers">;

/** A stored answer, and whether it is still fresh. */
export interface Found {
  readonly head: AnswerHead;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly isFresh: boolean;
}

/** A key that is about to be asked for. */
export interface Asked {
  readonly hash: Hash;
  /** What was known to be out of date when it was asked for. */
  readonly changes: number;
  /** Ms since the epoch. */
  readonly at: number;
}

export class AnswerCache {
  readonly counters: Counters;
  /** For copies of answers that are to be stored once they are whole. */
  readonly copies: Room;
  readonly #shared: SharedAnswers;
  readonly #near: NearAnswers;
  readonly #flights: Flights;
  readonly #passed: PassedKeys;
  readonly #hash: KeyedHash;
  readonly #clock: () => number;
  #entryMaxBytes: number;
  #lastKey: string | null = null;
  #lastHash: Hash = { high: 0, low: 0 };

  /** `buffer` is that of `newCacheMemory`, which all isolates share. */
  constructor(buffer: SharedArrayBuffer, options: AnswerCacheOptions) {
    const memory = new CacheMemory(buffer);
    this.#shared = new SharedAnswers(memory);
    this.counters = new Counters(memory, this.#shared.isolate);
    this.#near = new NearAnswers(options.nearMaxBytes);
    this.copies = new Room(options.copiesMaxBytes);
    this.#flights = new Flights(memory);
    this.#passed = new PassedKeys(memory);
    this.#hash = new KeyedHash(this.#shared.seed);
    this.#clock = options.clock ?? Date.now;
    this.#entryMaxBytes = options.entryMaxBytes;
  }

  now(): number {
    return this.#clock();
  }

  get entryMaxBytes(): number {
    return this.#entryMaxBytes;
  }

  /**
   * Bits that stand for a key. One call asks for the same several times,
   * so the last one is kept.
   */
  #hashOf(key: string): Hash {
    if (key !== this.#lastKey) [this.#lastKey, this.#lastHash] = [key, this.#hash.ofText(key)];
    return this.#lastHash;
  }

  /** The stored answer to a request, the newest one if there are several; null if there is none. */
  find(request: AskedFor): Found | null {
    const near = this.#near.get(request.key);
    const chosen = newest(near, request);
    if (chosen !== undefined && this.#shared.isCurrent(chosen.entry)) return this.#take(chosen);
    const hash = this.#hashOf(request.key);
    const entries = this.#shared.find(hash);
    if (entries.length === 0) return null;
    const answers = this.#brought(request.key, entries, near ?? []);
    const found = newest(answers, request);
    return found === undefined ? null : this.#take(found);
  }

  /** To be called before a key is asked for whose answer may be stored. */
  asking(key: string): Asked {
    const hash = this.#hashOf(key);
    return { hash, changes: this.#shared.changes(hash), at: this.now() };
  }

  /**
   * Stores an answer, in place of those that it takes the place of. Not if it is too
   * large, or what it tells of has changed since it was asked for: whether it is stored.
   */
  store({ hash, changes }: Asked, head: AnswerHead, body: Uint8Array<ArrayBuffer>): boolean {
    if (body.length > this.#entryMaxBytes) return false;
    const near = this.#brought(head.key, this.#shared.find(hash), this.#near.get(head.key) ?? []);
    const replaced = replacedBy(head, near);
    const entry = this.#shared.store(hash, {
      head: encodeHead(head),
      body,
      replaced: replaced.map(({ entry }) => entry),
      changes,
    });
    if (entry === null) return false;
    const kept = near.filter((answer) => !replaced.includes(answer));
    this.#near.set(head.key, [{ entry, head, body }, ...kept]);
    this.#passed.delete(hash);
    return true;
  }

  /**
   * The answers to a key are out of date, those too that are on their
   * way: gives up what is stored.
   */
  invalidate(key: string): void {
    const hash = this.#hashOf(key);
    this.#shared.change(hash);
    this.#shared.remove(this.#shared.find(hash));
  }

  /**
   * Begins a flight for all requests like this, or gives what to wait for; null if there
   * is nothing to wait for. Those that one answer is not for do not wait for each other.
   */
  join(request: AskedFor): Flight | Promise<void> | null {
    const now = this.now();
    if (this.#passed.has(this.#hashOf(request.key), now)) return null;
    const text = awaitedText(request, this.#near.get(request.key) ?? []);
    return this.#flights.join(text, this.#hash.ofText(text), now);
  }

  /**
   * Nobody is to wait for answers to this key for a while: they are not storable, or
   * out of date as they come.
   */
  pass(key: string): void {
    this.#passed.add(this.#hashOf(key), this.now());
  }

  #take(answer: NearAnswer): Found | null {
    const body = answer.body ??= this.#shared.body(answer.entry);
    if (body === null) return null;
    this.#shared.use(answer.entry);
    return { head: answer.head, body, isFresh: isFresh(answer.head, this.now()) };
  }

  /** The answers of these entries that are to a key, brought near. */
  #brought(
    key: string,
    entries: readonly EntryRef[],
    near: readonly NearAnswer[],
  ): readonly NearAnswer[] {
    const answers: NearAnswer[] = [];
    for (const entry of entries) {
      const answer = near.find((one) => isSame(one.entry, entry)) ?? this.#read(entry);
      if (answer !== null && answer.head.key === key) answers.push(answer);
    }
    this.#near.set(key, answers);
    return answers;
  }

  #read(entry: EntryRef): NearAnswer | null {
    const head = this.#shared.head(entry);
    return head === null ? null : { entry, head: decodeHead(head), body: null };
  }
}

function isSame(one: EntryRef, other: EntryRef): boolean {
  return one.slot === other.slot && one.generation === other.generation;
}

/** Of several that are right the one that came last (RFC 9111 §4). */
function newest(
  answers: readonly NearAnswer[] | undefined,
  { target, headers }: Pick<AskedFor, "target" | "headers">,
): NearAnswer | undefined {
  let found: NearAnswer | undefined;
  for (const answer of answers ?? []) {
    if (found !== undefined && answer.head.receivedAt <= found.head.receivedAt) continue;
    if (isAnswerTo(answer.head, target, headers)) found = answer;
  }
  return found;
}

/** The same for requests that one answer is for, as far as `stored` ones say what they vary by. */
function awaitedText({ key, target, headers }: AskedFor, stored: readonly NearAnswer[]): string {
  const names = new Set(stored.flatMap(({ head }) => head.vary.map(([name]) => name)));
  const fields = [...names].sort().map((name) => `${name}: ${combinedValue(headers, name)}`);
  return [key, target, ...fields].join("\n");
}

/** Those to the same request, and the oldest ones of too many. */
function replacedBy(head: AnswerHead, stored: readonly NearAnswer[]): readonly NearAnswer[] {
  const request = head.vary.flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const]
  );
  const same = stored.filter(({ head: { target, vary } }) =>
    target === head.target && vary.length === head.vary.length &&
    isAnswerTo({ key: head.key, target, vary }, target, request)
  );
  const others = stored.filter((answer) => !same.includes(answer))
    .toSorted((a, b) => b.head.receivedAt - a.head.receivedAt);
  return [...same, ...others.slice(VARIANTS_MAX - 1)];
}
