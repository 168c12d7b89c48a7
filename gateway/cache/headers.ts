/**
 * Header fields on their way past the cache: what the backend is asked with, what is kept
 * of its answer, and what of it the caller gets.
 */
import { combinedValue, type HeaderField, type HeaderFields } from "../exchange/header_fields.ts";
import type { AnswerHead } from "./answer.ts";
import { type CachingRules, isStripped } from "./storable.ts";

/** The fields of a request that asks whether a stored answer still holds (RFC 9111 §4.3.1). */
export function checkingHeaders(headers: HeaderFields, stored: AnswerHead): HeaderFields {
  const tag = combinedValue(stored.headers, "etag");
  const modified = combinedValue(stored.headers, "last-modified");
  return [
    ...headers.filter(([name]) => name !== "if-none-match" && name !== "if-modified-since"),
    ...tag === null ? [] : [["if-none-match", tag] as const],
    ...modified === null ? [] : [["if-modified-since", modified] as const],
  ];
}

/** Whether a 304 is about the stored answer; by its tag it may be about another (RFC 9111 §4.3.4). */
export function isAbout(notModified: HeaderFields, stored: HeaderFields): boolean {
  const tag = combinedValue(notModified, "etag");
  return tag === null || opaque(tag) === opaque(combinedValue(stored, "etag") ?? "");
}

/** Without the mark of a weak tag: backends set it where they have coded the content. */
function opaque(tag: string): string {
  return tag.replace(/^W\//, "");
}

/** What a 304 says anew (RFC 9111 §3.2); its content it has not seen. */
export function updatedHeaders(
  stored: readonly HeaderField[],
  news: readonly HeaderField[],
): HeaderField[] {
  const updates = news.filter(([name]) => !name.startsWith("content-"));
  const names = new Set(updates.map(([name]) => name));
  return [...stored.filter(([name]) => !names.has(name)), ...updates];
}

/**
 * The fields of a backend's answer for the caller: without those for us alone, and
 * without its cookies if every one of them may be left out.
 */
export function passedHeaders(
  headers: readonly HeaderField[],
  { strippedCookies }: CachingRules,
): HeaderField[] {
  const isBare = strippedCookies.length > 0 &&
    headers.every(([name, value]) => name !== "set-cookie" || isStripped(value, strippedCookies));
  const passed = headers.filter(([name]) =>
    name !== "surrogate-control" && !(isBare && name === "set-cookie")
  );
  if (!passed.some(([name]) => name === "x-cache")) passed.push(["x-cache", "MISS"]);
  return passed;
}

/** Fields that tell of one call, or that are worked out anew for each. */
const OF_ONE_CALL = new Set([
  "age",
  "content-length",
  "surrogate-control",
  "x-cache",
  "x-request-id",
]);

/** A Date is added where there is none (RFC 9110 §6.6.1): ages are counted from it. */
export function storedHeaders(headers: readonly HeaderField[], now: number): HeaderField[] {
  const kept = headers.filter(([name]) => !OF_ONE_CALL.has(name));
  if (!kept.some(([name]) => name === "date")) kept.push(["date", new Date(now).toUTCString()]);
  return kept;
}
