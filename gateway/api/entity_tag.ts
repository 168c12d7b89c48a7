/** A record's version as its entity tag, and back (RFC 9110 §8.8.3, §13.1.1). */
import { Fault } from "../faults.ts";

export function entityTag(version: number): string {
  return `"${version}"`;
}

/**
 * The version that `If-Match` asks for; undefined when any will do. Throws a
 * `Fault` (400) on anything else than one strong tag of ours or `*`: to ignore a
 * condition would be to overwrite what the caller wanted kept.
 */
export function versionAskedFor(headers: Headers): number | undefined {
  const value = headers.get("if-match")?.trim();
  if (value === undefined || value === "*") return undefined;
  const digits = /^"([1-9]\d{0,14})"$/.exec(value)?.[1];
  if (digits !== undefined) return Number(digits);
  throw new Fault(
    "BAD_REQUEST",
    'If-Match must be one ETag as this API gave it, such as "3" in its quotes, or *.',
  );
}
