/**
 * A stored answer as one caller gets it: whole, or a part of it, or only that nothing
 * is new (RFC 9111 §4.3.2, RFC 9110 §13 and §14).
 */
import { combinedValue, type HeaderField, type HeaderFields } from "../exchange/header_fields.ts";
import type { AnswerHead } from "./answer.ts";
import { readDate } from "./directives.ts";
import type { CacheableRequest, Conditions } from "./request.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Presented {
  readonly status: number;
  readonly headers: HeaderField[];
  readonly body: Bytes | null;
}

/** @param fields those that tell of the cache, such as `Age` */
export function present(
  head: AnswerHead,
  body: Bytes,
  request: Pick<CacheableRequest, "method" | "headers" | "conditions">,
  fields: readonly HeaderField[],
): Presented {
  const headers = [...head.headers, ...fields];
  const { method, conditions } = request;
  if (isNothingNew(head, conditions)) {
    return { status: 304, headers: headers.filter(([name]) => !OF_CONTENT.test(name)), body: null };
  }
  const range = method === "HEAD" ? null : wantedRange(head, body.length, request);
  if (range !== null) return partOf(body, range, headers);
  if (head.status !== 204) headers.push(["content-length", String(body.length)]);
  const hasBody = method !== "HEAD" && body.length > 0;
  return { status: head.status, headers, body: hasBody ? body : null };
}

/**
 * What describes content that a 304 does not have (RFC 9110 §15.4.5);
 * where it lies, it may say.
 */
const OF_CONTENT = /^content-(?!location$)/;

/** Only what would be answered with 200 has something that could be new (RFC 9110 §13.2.1). */
function isNothingNew(head: AnswerHead, conditions: Conditions): boolean {
  const { ifNoneMatch, ifModifiedSince } = conditions;
  if (head.status !== 200) return false;
  if (ifNoneMatch !== null) return matchesTag(ifNoneMatch, combinedValue(head.headers, "etag"));
  if (ifModifiedSince === null) return false;
  const since = readDate(ifModifiedSince);
  const modified = lastModified(head.headers);
  return since !== null && modified !== null && modified <= since;
}

/** Without a Last-Modified the time that it was sent at (RFC 9111 §4.3.2). */
function lastModified(headers: HeaderFields): number | null {
  const value = combinedValue(headers, "last-modified") ?? combinedValue(headers, "date");
  return value === null ? null : readDate(value);
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g;

/** By weak comparison (RFC 9110 §13.1.2). */
function matchesTag(ifNoneMatch: string, tag: string | null): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  if (tag === null) return false;
  const opaque = tag.replace(/^W\//, "");
  return (ifNoneMatch.match(ENTITY_TAG) ?? []).some((one) => one.replace(/^W\//, "") === opaque);
}

/** First and last byte; `unsatisfiable`: nothing of it is there. */
type Range = { readonly first: number; readonly last: number } | "unsatisfiable";

/** first-pos "-" [ last-pos ] or "-" suffix-length: one range, RFC 9110 §14.1.1. */
const ONE_RANGE = /^bytes=[ \t]*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))[ \t]*$/i;

/**
 * Null: the whole of it. A server may ignore a Range (RFC 9110 §14.2),
 * as we do several at once.
 */
function wantedRange(
  head: AnswerHead,
  length: number,
  { headers, conditions: { range, ifRange } }: Pick<CacheableRequest, "headers" | "conditions">,
): Range | null {
  if (range === null || head.status !== 200 || !isAcceptedAsStored(head.headers, headers)) {
    return null;
  }
  if (ifRange !== null && !isUnchangedSince(ifRange, head.headers)) return null;
  const [, from, to, suffix] = ONE_RANGE.exec(range) ?? [];
  if (suffix !== undefined) {
    const count = Math.min(Number(suffix), length);
    return count === 0 ? "unsatisfiable" : { first: length - count, last: length - 1 };
  }
  if (from === undefined) return null;
  const first = Number(from);
  const last = to === undefined || to === "" ? length - 1 : Math.min(Number(to), length - 1);
  if (to !== undefined && to !== "" && Number(to) < first) return null; // invalid: ignored
  return first >= length ? "unsatisfiable" : { first, last };
}

/** Whether the caller takes the coding that it is stored in: parts cannot be decoded. */
function isAcceptedAsStored(stored: HeaderFields, request: HeaderFields): boolean {
  const coding = combinedValue(stored, "content-encoding");
  if (coding === null) return true;
  return combinedValue(request, "accept-encoding")?.includes(coding) === true;
}

/** By strong comparison of tags, or the very same date (RFC 9110 §13.1.5). */
function isUnchangedSince(ifRange: string, headers: HeaderFields): boolean {
  if (ifRange.startsWith("W/")) return false;
  return ifRange.startsWith('"')
    ? ifRange === combinedValue(headers, "etag")
    : ifRange === combinedValue(headers, "last-modified");
}

function partOf(body: Bytes, range: Range, headers: HeaderField[]): Presented {
  if (range === "unsatisfiable") {
    const kept = headers.filter(([name]) => !OF_CONTENT.test(name));
    return {
      status: 416,
      headers: [...kept, ["content-range", `bytes */${body.length}`]],
      body: null,
    };
  }
  const { first, last } = range;
  return {
    status: 206,
    headers: [...headers, ["content-range", `bytes ${first}-${last}/${body.length}`]],
    body: body.subarray(first, last + 1),
  };
}
