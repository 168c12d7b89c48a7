/** Which codings of an answer's body a client takes (RFC 9110 §12.5.3). */
import { weightedList } from "../exchange/weighted_list.ts";

/** What answers are compressed with here, the better one first. */
export const codings = ["br", "gzip"] as const;
export type Coding = (typeof codings)[number];

export interface AcceptedCodings {
  /** What the client likes best of what can be done here; null: the answer as it is. */
  readonly preferred: Coding | null;
  readonly gzip: boolean;
}

/**
 * A client that says nothing is one that takes nothing but the plain answer: the
 * standard lets it be sent anything, but old clients could not read it.
 */
const NOTHING: AcceptedCodings = { preferred: null, gzip: false };

/** @param header `Accept-Encoding` */
export function acceptedCodings(header: string | null): AcceptedCodings {
  if (header === null) return NOTHING;
  const weights = new Map<string, number>();
  for (const { name, quality } of weightedList(header)) {
    weights.set(name === "x-gzip" ? "gzip" : name, quality); // the same one, §8.4.1.3
  }
  const others = weights.get("*") ?? 0;
  const weightOf = (coding: Coding) => weights.get(coding) ?? others;
  const plain = weights.get("identity") ?? 0;
  let preferred: Coding | null = null;
  for (const coding of codings) {
    const weight = weightOf(coding);
    if (weight === 0 || weight < plain) continue;
    if (preferred === null || weight > weightOf(preferred)) preferred = coding;
  }
  return { preferred, gzip: weightOf("gzip") > 0 };
}
