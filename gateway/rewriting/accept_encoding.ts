/**
 * `Accept-Encoding` towards backends: `gzip` or nothing, as in API Umbrella. Whatever
 * callers ask for, a backend then has two forms of an answer at most, and so has the
 * cache; the answer is coded anew for the caller where that is needed.
 */
import { weightedList } from "../exchange/weighted_list.ts";

/** `x-gzip` is an old name of it (RFC 9110 §8.4.1.3). */
const GZIP = new Set(["gzip", "x-gzip"]);

/** As nearly every caller says it, without a weight: a tenth of what reading the list costs. */
const PLAIN = /(?:^|,)[ \t]*gzip[ \t]*(?:,|$)/i;

/** Whether a caller takes gzip, by the value of its `Accept-Encoding`. */
export function takesGzip(acceptEncoding: string): boolean {
  return PLAIN.test(acceptEncoding) ||
    weightedList(acceptEncoding).some(({ name, quality }) => GZIP.has(name) && quality > 0);
}
