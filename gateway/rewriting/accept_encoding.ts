/**
 * `Accept-Encoding` towards backends: `gzip` or nothing, as in API Umbrella. Whatever
 * callers ask for, a backend then has two forms of an answer at most, and so has the
 * cache; the answer is coded anew for the caller where that is needed.
 */

/** `x-gzip` is an old name of it (RFC 9110 §8.4.1.3). */
const GZIP = new Set(["gzip", "x-gzip"]);

/** Of weight 0 is what a caller does not take (RFC 9110 §12.4.2). */
const REFUSED = /^q=0(?:\.0*)?$/;

/** As nearly every caller says it, without a weight: to find that costs a tenth of reading the list. */
const PLAIN = /(?:^|,)[ \t]*gzip[ \t]*(?:,|$)/i;

/** Whether a caller takes gzip, by the value of its `Accept-Encoding`. */
export function takesGzip(acceptEncoding: string): boolean {
  return PLAIN.test(acceptEncoding) || acceptEncoding.toLowerCase().split(",").some((item) => {
    const [coding = "", weight = ""] = item.split(";").map((piece) => piece.trim());
    return GZIP.has(coding) && !REFUSED.test(weight);
  });
}
