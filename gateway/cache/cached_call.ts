/**
 * A call whose answer may come out of the cache, or go into it. It looks like a call to
 * the backend to whoever carries it out: when a stored answer serves, no backend is
 * asked; when somebody else is asking for the same, that answer is waited for.
 */
import { combinedValue, type HeaderFields } from "../exchange/header_fields.ts";
import type { CallOutcome, UpstreamCall, UpstreamResponse } from "../upstream/call.ts";
import { within } from "../within.ts";
import { ageOf, type AnswerHead, isFresh } from "./answer.ts";
import type { AnswerCache, Asked, Found } from "./answer_cache.ts";
import { readDirectives } from "./directives.ts";
import { type Flight, PATIENCE } from "./flights.ts";
import {
  checkingHeaders,
  isAbout,
  passedHeaders,
  storedHeaders,
  updatedHeaders,
} from "./headers.ts";
import { present } from "./present.ts";
import { type CacheableRequest, isConditional } from "./request.ts";
import { freshnessOf, variedBy } from "./storable.ts";
import { tee } from "./tee.ts";

/** Sends the call to its backend, with these fields. */
export type Send = (headers: HeaderFields) => UpstreamCall;

/** A call whose answer may be there at once. */
export interface CarriedCall extends Omit<UpstreamCall, "answer"> {
  readonly answer: UpstreamResponse | UpstreamCall["answer"];
}

/** Carries out a call that the cache may know the answer to. */
export function carryCached(
  cache: AnswerCache,
  request: CacheableRequest,
  send: Send,
): CarriedCall {
  const found = cache.find(request);
  if (found?.isFresh === true) return new StoredCall(servedFrom(cache, found, request));
  if (asksFor(request, "only-if-cached")) {
    return new StoredCall({ status: 504, headers: [["x-cache", "MISS"]], body: null });
  }
  return new MissedCall(cache, request, send, found);
}

/** What a caller gets of a fresh answer. */
function servedFrom(
  cache: AnswerCache,
  { head, body }: Found,
  request: CacheableRequest,
): UpstreamResponse {
  cache.counters.hit();
  return present(head, body, request, [
    ["age", String(Math.floor(ageOf(head, cache.now())))],
    ["x-cache", "HIT"],
  ]);
}

function asksFor({ conditions: { cacheControl } }: CacheableRequest, directive: string): boolean {
  return cacheControl !== null && readDirectives(cacheControl).has(directive);
}

/** A call that is answered out of the cache. */
class StoredCall implements CarriedCall {
  readonly requestBytes = 0;
  readonly responseBytes: number;
  readonly outcome = "complete";

  /** `server`: whoever said that the answer still holds. */
  constructor(readonly answer: UpstreamResponse, readonly server = "") {
    this.responseBytes = answer.body instanceof Uint8Array ? answer.body.length : 0;
  }

  cancel(): void {}
}

/** A call that the cache had no fresh answer to when it came. */
class MissedCall implements UpstreamCall {
  readonly answer: Promise<UpstreamResponse>;
  readonly #cache: AnswerCache;
  readonly #request: CacheableRequest;
  readonly #send: Send;
  /** The backend's call; or the stored one that serves after all. */
  #carrier: CarriedCall | null = null;

  constructor(cache: AnswerCache, request: CacheableRequest, send: Send, stale: Found | null) {
    this.#cache = cache;
    this.#request = request;
    this.#send = send;
    this.answer = mayShare(request, stale) ? this.#share(stale) : this.#ask(stale, null);
  }

  get server(): string {
    return this.#carrier?.server ?? "";
  }

  get requestBytes(): number {
    return this.#carrier?.requestBytes ?? 0;
  }

  get responseBytes(): number {
    return this.#carrier?.responseBytes ?? 0;
  }

  get outcome(): CallOutcome {
    return this.#carrier?.outcome ?? "running";
  }

  cancel(): void {
    this.#carrier?.cancel();
  }

  /** Has the answer of whoever asks for the same already; or asks for all others. */
  async #share(stale: Found | null): Promise<UpstreamResponse> {
    const patienceEnds = this.#cache.now() + PATIENCE;
    for (let found = stale;;) {
      const joined = this.#cache.join(this.#request);
      if (joined === null) return this.#ask(found, null);
      const wait = joined instanceof Promise ? patienceEnds - this.#cache.now() : null;
      if (wait !== null && wait <= 0) return this.#ask(found, null);
      if (joined instanceof Promise) await within(wait ?? 0, joined);
      // It may have been stored since it was looked for, in another isolate too.
      found = this.#cache.find(this.#request);
      if (found?.isFresh === true) {
        if (!(joined instanceof Promise)) joined.end();
        return this.#serve(servedFrom(this.#cache, found, this.#request));
      }
      if (!(joined instanceof Promise)) return this.#ask(found, joined);
    }
  }

  #serve(answer: UpstreamResponse, server?: string): UpstreamResponse {
    this.#carrier = new StoredCall(answer, server);
    return answer;
  }

  /** Asks the backend; of a stale answer only whether it still holds, if that can be asked. */
  async #ask(stale: Found | null, flight: Flight | null): Promise<UpstreamResponse> {
    const asked = this.#cache.asking(this.#request.key);
    this.#cache.counters.miss();
    try {
      const { headers } = this.#request;
      const isChecked = stale !== null && isWhole(this.#request) && hasValidator(stale.head);
      const call = this.#carrier = this.#send(
        isChecked ? checkingHeaders(headers, stale.head) : headers,
      );
      const answer = await call.answer;
      if (!isChecked || answer.status !== 304) return this.#received(answer, asked, flight);
      return isAbout(answer.headers, stale.head.headers)
        ? this.#confirmed(stale, answer, asked, flight)
        : await this.#ask(null, flight);
    } catch (error) {
      flight?.end();
      throw error;
    }
  }

  /** The stale answer still holds: it is fresh again (RFC 9111 §4.3.4). */
  #confirmed(
    { head, body }: Found,
    { headers }: UpstreamResponse,
    asked: Asked,
    flight: Flight | null,
  ): UpstreamResponse {
    const now = this.#cache.now();
    // Where it does not say how long, it is as long as before.
    const rules = { ...this.#request.rules, defaultLifetime: head.lifetime };
    const freshness = freshnessOf(200, headers, rules, now, asked.at);
    const confirmed: AnswerHead = {
      ...head,
      headers: storedHeaders(updatedHeaders(head.headers, headers), now),
      receivedAt: now,
      ...freshness ?? { lifetime: 0, initialAge: 0 },
    };
    this.#keep(asked, freshness === null ? null : confirmed, body);
    flight?.end();
    const age = String(Math.floor(confirmed.initialAge));
    const answer = present(confirmed, body, this.#request, [["age", age], ["x-cache", "MISS"]]);
    return this.#serve(answer, this.server);
  }

  /** The backend's answer, on its way to the caller and perhaps to the cache. */
  #received(answer: UpstreamResponse, asked: Asked, flight: Flight | null): UpstreamResponse {
    const { rules } = this.#request;
    const passed = { ...answer, headers: passedHeaders(answer.headers, rules) };
    const now = this.#cache.now();
    const freshness = this.#isStorable
      ? freshnessOf(answer.status, answer.headers, rules, now, asked.at)
      : null;
    const length = Number(combinedValue(answer.headers, "content-length") ?? NaN);
    if (freshness === null || length > this.#cache.entryMaxBytes) {
      // Whether the content is storable a 304 leaves open.
      if (answer.status !== 304) this.#keep(asked, null, NO_BYTES);
      flight?.end();
      return passed;
    }
    const head = {
      key: this.#request.key,
      target: this.#request.target,
      vary: variedBy(answer.headers, this.#request.headers),
      status: answer.status,
      headers: storedHeaders(passed.headers, now),
      receivedAt: now,
      ...freshness,
    };
    const { body } = answer;
    if (!(body instanceof ReadableStream)) {
      this.#keep(asked, head, body ?? NO_BYTES);
      flight?.end();
      return passed;
    }
    const copied = tee(
      body,
      Number.isNaN(length) ? null : length,
      { maxBytes: this.#cache.entryMaxBytes, room: this.#cache.copies },
      (whole) => {
        if (whole !== null) this.#keep(asked, head, whole);
        flight?.end();
      },
    );
    return { ...passed, body: copied };
  }

  /** Stores an answer; if it serves nobody else, nobody is to wait for the next. */
  #keep(asked: Asked, head: AnswerHead | null, body: Uint8Array<ArrayBuffer>): void {
    const isStored = head !== null && this.#cache.store(asked, head, body);
    const serves = isStored && isFresh(head, this.#cache.now());
    // A part of it, or what its caller wants unstored, says nothing of the others' answers.
    if (!serves && this.#isStorable && isWhole(this.#request)) {
      this.#cache.pass(this.#request.key);
    }
  }

  /** What answers a HEAD says nothing of the content (RFC 9111 §4); `no-store`: §5.2.1.5. */
  get #isStorable(): boolean {
    return this.#request.method === "GET" && !asksFor(this.#request, "no-store");
  }
}

const NO_BYTES = new Uint8Array(0);

/** Whether the answer to this call may serve others that wait: it is asked for as it is. */
function mayShare(request: CacheableRequest, stale: Found | null): boolean {
  if (!isWhole(request) || asksFor(request, "no-store")) return false;
  return !isConditional(request.conditions) || (stale !== null && hasValidator(stale.head));
}

/** Whether a part of the answer alone is not what is asked for. */
function isWhole({ method, conditions }: CacheableRequest): boolean {
  return method === "GET" && conditions.range === null;
}

function hasValidator({ headers }: AnswerHead): boolean {
  return headers.some(([name]) => name === "etag" || name === "last-modified");
}
