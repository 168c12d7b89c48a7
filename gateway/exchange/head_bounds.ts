/**
 * How large the head of a request may be. What is larger is refused before a rule
 * looks at it, whether it is a call or a request for one of Portico's own pages.
 *
 * The HTTP server reads heads of up to 64 KiB and 128 fields and answers 400 to larger
 * ones itself, so these bounds act below that.
 */
import { Refusal } from "../refusal/refusals.ts";
import type { HeaderFields } from "./header_fields.ts";
import { targetStart } from "./target.ts";

/** In bytes: the server gives every byte of a head as one character. */
export interface HeadBounds {
  /** Path and query, as they came. */
  readonly url: number;
  /** One field, from its name to the end of its line; fields that came repeatedly are one. */
  readonly header: number;
  /** All fields together. */
  readonly headers: number;
}

export function headBounds(limits: {
  readonly url_max_bytes: number;
  readonly header_max_bytes: number;
  readonly headers_max_bytes: number;
}): HeadBounds {
  return {
    url: limits.url_max_bytes,
    header: limits.header_max_bytes,
    headers: limits.headers_max_bytes,
  };
}

/** The `: ` behind a field's name and the line end behind its value. */
const FIELD_OVERHEAD = 4;

/**
 * What is too large about a head, if anything is. `url` is the server's: it
 * begins with scheme and host.
 */
export function oversized(url: string, fields: HeaderFields, bounds: HeadBounds): Refusal | null {
  // The whole URL is longer than its target, so this alone settles nearly every call.
  if (url.length > bounds.url && url.length - targetStart(url) > bounds.url) {
    return new Refusal("URI_TOO_LONG", `At most ${bounds.url} bytes are taken.`);
  }
  let largest = 0;
  let sum = 0;
  for (const [name, value] of fields) {
    const size = name.length + value.length + FIELD_OVERHEAD;
    if (size > largest) largest = size;
    sum += size;
  }
  if (largest > bounds.header) {
    return tooLarge(`At most ${bounds.header} bytes are taken in one header.`);
  }
  return sum > bounds.headers
    ? tooLarge(`At most ${bounds.headers} bytes of headers are taken.`)
    : null;
}

function tooLarge(reason: string): Refusal {
  return new Refusal("REQUEST_HEADER_FIELDS_TOO_LARGE", reason);
}
