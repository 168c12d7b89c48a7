/** A request as the cache sees it: read once from what goes out to the backend. */
import type { HeaderFields } from "../exchange/header_fields.ts";
import type { CachingRules } from "./storable.ts";

/** A request that a stored answer may be given to. */
export interface CacheableRequest {
  readonly method: "GET" | "HEAD";
  /** Backend and public URL (`cacheKey`). */
  readonly key: string;
  /** What the backend is asked for (`askedFor`). */
  readonly target: string;
  /** As they go out. */
  readonly headers: HeaderFields;
  readonly rules: CachingRules;
  readonly conditions: Conditions;
}

/** What a caller asks for besides the answer itself; each as it came, null when absent. */
export interface Conditions {
  readonly range: string | null;
  readonly ifRange: string | null;
  readonly ifNoneMatch: string | null;
  readonly ifModifiedSince: string | null;
  readonly cacheControl: string | null;
}

export const NO_CONDITIONS: Conditions = {
  range: null,
  ifRange: null,
  ifNoneMatch: null,
  ifModifiedSince: null,
  cacheControl: null,
};

const DECISIVE = new Set([
  "authorization",
  "cache-control",
  "cookie",
  "if-match",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "if-unmodified-since",
  "range",
  "x-http-method",
  "x-http-method-override",
  "x-method-override",
]);
/** Nearly every name is ruled out by its length, at a tenth of what a look into a set costs. */
const DECISIVE_LENGTHS = new Set([...DECISIVE].map((name) => name.length));
const MAY_DECIDE = Array.from({ length: 24 }, (_, length) => DECISIVE_LENGTHS.has(length));

/**
 * What the fields of a request ask for; null if its answer is not for everybody: it has
 * cookies or credentials of its caller (`authorization`, as the caller sent it), names a
 * method that some backends take in place of its own, or has preconditions that only the
 * backend can tell the truth of.
 */
export function readConditions(
  outgoing: HeaderFields,
  authorization: () => string | null,
): Conditions | null {
  let found: { -readonly [Name in keyof Conditions]: Conditions[Name] } | null = null;
  for (const [name, value] of outgoing) {
    if (MAY_DECIDE[name.length] !== true || !DECISIVE.has(name)) continue;
    found ??= { ...NO_CONDITIONS };
    switch (name) {
      case "authorization":
        if (value === authorization()) return null; // another one is the gateway's own
        break;
      case "cookie":
      case "x-http-method":
      case "x-http-method-override":
      case "x-method-override":
      case "if-match":
      case "if-unmodified-since":
        return null;
      case "range":
        found.range = value;
        break;
      case "if-range":
        found.ifRange = value;
        break;
      case "if-none-match":
        found.ifNoneMatch = found.ifNoneMatch === null ? value : `${found.ifNoneMatch}, ${value}`;
        break;
      case "if-modified-since":
        found.ifModifiedSince = value;
        break;
      case "cache-control":
        found.cacheControl = found.cacheControl === null
          ? value
          : `${found.cacheControl}, ${value}`;
    }
  }
  return found ?? NO_CONDITIONS;
}

/** Whether the caller wants to know only what is new to it. */
export function isConditional({ ifNoneMatch, ifModifiedSince }: Conditions): boolean {
  return ifNoneMatch !== null || ifModifiedSince !== null;
}
