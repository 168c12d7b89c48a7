/** An answer as it is stored: of which request, since when, until when, and what it says. */
import { Buffer } from "node:buffer";
import { combinedValue, type HeaderField, type HeaderFields } from "../exchange/header_fields.ts";

/** The sort of request that an answer is to. */
export interface AnswerKey {
  /** Backend and public URL (`cacheKey`). */
  readonly key: string;
  /** What the backend was asked for (`askedFor`): it may depend on more than the URL. */
  readonly target: string;
  /** The fields of the request that the answer says it varies by; null: it had none. */
  readonly vary: readonly (readonly [name: string, value: string | null])[];
}

export interface AnswerHead extends AnswerKey {
  readonly status: number;
  /** Those to pass on, with Date, without Age and Content-Length. */
  readonly headers: HeaderField[];
  /** When it came, ms since the epoch. */
  readonly receivedAt: number;
  /** How old it was then, in seconds. */
  readonly initialAge: number;
  /** How old it may get, in seconds. */
  readonly lifetime: number;
}

/** Its age in seconds (RFC 9111 §4.2.3); `now` in ms. */
export function ageOf({ receivedAt, initialAge }: AnswerHead, now: number): number {
  return initialAge + Math.max(0, now - receivedAt) / 1000;
}

/** Whether it may be used without asking the backend (RFC 9111 §4.2). */
export function isFresh(head: AnswerHead, now: number): boolean {
  return head.lifetime > ageOf(head, now);
}

/** Whether the answer is one to a request like this (RFC 9111 §4.1). */
export function isAnswerTo(answer: AnswerKey, target: string, request: HeaderFields): boolean {
  if (answer.target !== target) return false;
  for (const [name, value] of answer.vary) {
    if (combinedValue(request, name) !== value) return false;
  }
  return true;
}

export function encodeHead(head: AnswerHead): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(head));
}

/** What `encodeHead` was given. */
export function decodeHead({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): AnswerHead {
  return JSON.parse(Buffer.from(buffer, byteOffset, length).toString()) as AnswerHead;
}
