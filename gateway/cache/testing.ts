/**
 * What the tests of the cache share: a cache with a clock of its own, and a
 * backend that is a function.
 */
import { Buffer } from "node:buffer";
import type { HeaderField, HeaderFields } from "../exchange/header_fields.ts";
import type { UpstreamCall, UpstreamResponse } from "../upstream/call.ts";
import { AnswerCache } from "./answer_cache.ts";
import { carryCached } from "./cached_call.ts";
import { cacheKey, cacheSpace } from "./key.ts";
import { newCacheMemory } from "./memory.ts";
import { type CacheableRequest, readConditions } from "./request.ts";
import type { CachingRules } from "./storable.ts";

export const START = Date.parse("2026-01-01T00:00:00Z");

export interface Asked {
  readonly method: "GET" | "HEAD";
  readonly url: string;
  /** Of the request to the backend. */
  readonly headers: HeaderFields;
}

/** Body text, or the chunks of one that comes bit by bit. */
export interface Given {
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | readonly string[] | ReadableStream<Uint8Array<ArrayBuffer>>;
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CacheOptions {
  readonly memory?: SharedArrayBuffer;
  readonly entryMaxBytes?: number;
  readonly rules?: Partial<CachingRules>;
}

/** A cache in front of a backend that answers as `answer` says. */
export class CachedBackend {
  readonly memory: SharedArrayBuffer;
  readonly cache: AnswerCache;
  /** Ms since the epoch. */
  now = START;
  /** What the backend was asked for. */
  readonly asked: Asked[] = [];
  /** What answers wait for before they come. */
  gate: Promise<void> | null = null;
  readonly #answer: (asked: Asked) => Given | Promise<Given>;
  readonly #rules: CachingRules;

  constructor(answer: (asked: Asked) => Given | Promise<Given>, options: CacheOptions = {}) {
    this.memory = options.memory ?? newCacheMemory(4 * 2 ** 20);
    this.cache = new AnswerCache(this.memory, {
      entryMaxBytes: options.entryMaxBytes ?? 2 ** 16,
      nearMaxBytes: 2 ** 20,
      copiesMaxBytes: 2 ** 17,
      clock: () => this.now,
    });
    this.#answer = answer;
    this.#rules = { defaultLifetime: null, strippedCookies: [], ...options.rules };
  }

  /** A call through the cache; one with cookies or credentials goes past it. */
  async call(
    url: string,
    headers: Readonly<Record<string, string>> = {},
    method: "GET" | "HEAD" = "GET",
  ): Promise<Got> {
    const { answer } = this.carry(url, headers, method);
    return await taken(await answer);
  }

  carry(url: string, headers: Readonly<Record<string, string>>, method: "GET" | "HEAD" = "GET") {
    const request = this.request(url, headers, method);
    return request === null
      ? this.#send({ method, url, headers: Object.entries(headers) })
      : carryCached(
        this.cache,
        request,
        (fields) => this.#send({ method, url, headers: fields }),
      );
  }

  request(
    url: string,
    headers: Readonly<Record<string, string>>,
    method: "GET" | "HEAD" = "GET",
  ): CacheableRequest | null {
    const fields = Object.entries(headers);
    const conditions = readConditions(fields, () => headers.authorization ?? null);
    return conditions === null ? null : {
      method,
      key: keyOf(url),
      target: url.replace(/^https?:\/\/[^/]+/, ""),
      headers: fields,
      rules: this.#rules,
      conditions,
    };
  }

  #send(asked: Asked): UpstreamCall {
    this.asked.push(asked);
    const call = {
      server: "127.0.0.1:3000",
      requestBytes: 0,
      responseBytes: 0,
      outcome: "running" as const,
      cancel() {},
    };
    return { ...call, answer: this.#response(asked) };
  }

  async #response(asked: Asked): Promise<UpstreamResponse> {
    await this.gate;
    const { status = 200, headers = [], body = "" } = await this.#answer(asked);
    const has = asked.method === "GET" && status !== 304 && status !== 204;
    return {
      status,
      headers: headers.map(([name, value]): HeaderField => [name, value]),
      body: !has || body === "" ? null : bodyOf(body),
    };
  }
}

function bodyOf(body: NonNullable<Given["body"]>): UpstreamResponse["body"] {
  if (body instanceof ReadableStream) return body;
  if (typeof body === "string") return new TextEncoder().encode(body);
  return ReadableStream.from(body.map((part) => new TextEncoder().encode(part)));
}

/** The key of a URL such as `https://a.example/b?c`, or of a path at a.example. */
export function keyOf(url: string): string {
  const { protocol, host, hostname, pathname, search } = new URL(url, "http://a.example");
  return cacheKey(cacheSpace("backend-1", "1"), {
    scheme: protocol === "https:" ? "https" : "http",
    host: hostname,
    authority: host,
    path: pathname,
    query: search === "" ? null : search.slice(1),
  });
}

/** An answer with its body read to the end. */
export async function taken({ status, headers, body }: UpstreamResponse): Promise<Got> {
  const bytes = body instanceof ReadableStream
    ? await new Response(body).bytes()
    : body ?? new Uint8Array();
  return { status, headers: Object.fromEntries(headers), body: Buffer.from(bytes).toString() };
}
