/**
 * Whether an answer may be kept for others, and for how long: by what it says itself
 * (RFC 9111 §3, §4.2), or by the setting for answers that say nothing. An answer that
 * may be private is never kept.
 */
import { combinedValue, type HeaderFields } from "../exchange/header_fields.ts";
import { readDate, readDirectives, secondsOf } from "./directives.ts";

/** How calls to a backend use the cache. */
export interface CachingRules {
  /** How long an answer is fresh that does not say, in seconds; null: it is not kept. */
  readonly defaultLifetime: number | null;
  /** Cookies whose setting does not keep an answer from being stored: they are removed. */
  readonly strippedCookies: readonly { test(text: string): boolean }[];
}

/** How long an answer is fresh, from when it came. */
export interface Freshness {
  /** In seconds, as is the age that it came with. */
  readonly lifetime: number;
  readonly initialAge: number;
}

/**
 * Statuses whose meaning is whole in one answer, and the same for all. Not 206, which is
 * a part, nor 302, 303 and 307, which often lead each caller elsewhere.
 */
const STORED = new Set([200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]);
/** Of these, where the answer says nothing and a setting does. */
const STORED_BY_SETTING = new Set([200, 203, 301, 404, 410]);

/** The fields that decide, as they came. */
interface Decisive {
  cacheControl: string | null;
  surrogateControl: string | null;
  expires: string | null;
  date: string | null;
  age: string | null;
}

/**
 * How long the answer is fresh that came at `now` (ms) to a request that was sent at
 * `askedAt`; null if it must not be stored.
 */
export function freshnessOf(
  status: number,
  headers: HeaderFields,
  { defaultLifetime, strippedCookies }: CachingRules,
  now: number,
  askedAt: number,
): Freshness | null {
  if (!STORED.has(status)) return null;
  const fields = decisiveFields(headers, strippedCookies);
  if (fields === null) return null;
  const stated = statedLifetime(fields, now);
  const lifetime = stated === undefined && STORED_BY_SETTING.has(status) ? defaultLifetime : stated;
  if (lifetime === null || lifetime === undefined) return null;
  return { lifetime, initialAge: initialAge(fields, now, askedAt) };
}

/** Null if one of the fields says that the answer is not for everybody. */
function decisiveFields(
  headers: HeaderFields,
  strippedCookies: CachingRules["strippedCookies"],
): Decisive | null {
  const found: Decisive = {
    cacheControl: null,
    surrogateControl: null,
    expires: null,
    date: null,
    age: null,
  };
  for (const [name, value] of headers) {
    switch (name) {
      case "cache-control":
        found.cacheControl = joined(found.cacheControl, value);
        break;
      case "surrogate-control":
        found.surrogateControl = joined(found.surrogateControl, value);
        break;
      case "expires":
        // Two of them say nothing that holds (RFC 9111 §4.2.1).
        found.expires = joined(found.expires, value);
        break;
      case "date":
        found.date ??= value;
        break;
      case "age":
        found.age ??= value;
        break;
      case "vary":
        if (value.includes("*")) return null;
        break;
      case "set-cookie":
        if (!isStripped(value, strippedCookies)) return null;
        break;
      case "www-authenticate":
      case "content-range":
        return null;
    }
  }
  return found;
}

function joined(before: string | null, value: string): string {
  return before === null ? value : `${before}, ${value}`;
}

/** Whether what a `Set-Cookie` sets may be left out; a pattern is for its name, or all of it. */
export function isStripped(
  setCookie: string,
  strippedCookies: CachingRules["strippedCookies"],
): boolean {
  const name = cookieName(setCookie);
  return strippedCookies.some((pattern) => pattern.test(name) || pattern.test(setCookie));
}

function cookieName(setCookie: string): string {
  const end = setCookie.search(/[=;]/);
  return (end === -1 ? setCookie : setCookie.slice(0, end)).trim();
}

/**
 * In seconds; undefined where the answer says nothing, null where it says
 * that it must not be kept.
 */
function statedLifetime(fields: Decisive, now: number): number | null | undefined {
  const forUs = surrogateLifetime(fields.surrogateControl);
  if (forUs !== undefined) return forUs;
  if (fields.cacheControl !== null) {
    const directives = readDirectives(fields.cacheControl);
    // `no-cache` would need to ask the backend each time, even with names of fields (§5.2.2.4).
    const refuses = ["no-store", "private", "no-cache"].some((name) => directives.has(name));
    if (refuses) return null;
    const seconds = secondsOf(directives, "s-maxage") ?? secondsOf(directives, "max-age");
    if (seconds !== undefined) return seconds;
  }
  return fields.expires === null ? undefined : untilExpires(fields.expires, fields.date, now);
}

/** `Surrogate-Control` is for us alone: what it says stands in place of all the rest. */
function surrogateLifetime(value: string | null): number | null | undefined {
  if (value === null) return undefined;
  const directives = readDirectives(value);
  return directives.has("no-store") ? null : secondsOf(directives, "max-age");
}

/** An invalid date, as `0` is, means that it has expired (RFC 9111 §5.3). */
function untilExpires(expires: string, date: string | null, now: number): number {
  const end = readDate(expires);
  const start = date === null ? now : readDate(date) ?? now;
  return end === null ? 0 : Math.max(0, Math.floor((end - start) / 1000));
}

/** RFC 9111 §4.2.3: from its date and from the ages that caches before us have given it. */
function initialAge({ date, age }: Decisive, now: number, askedAt: number): number {
  const sent = date === null ? null : readDate(date);
  const apparent = sent === null ? 0 : Math.max(0, Math.floor((now - sent) / 1000));
  const told = age === null ? 0 : Number(/^\d{1,10}/.exec(age)?.[0] ?? 0);
  return Math.max(apparent, told + Math.max(0, now - askedAt) / 1000);
}

/** The fields that an answer says it varies by, with what the request had. */
export function variedBy(answer: HeaderFields, request: HeaderFields): [string, string | null][] {
  const vary = combinedValue(answer, "vary") ?? "";
  const names = vary.toLowerCase().split(",").map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== "")
    .map((name) => [name, combinedValue(request, name)]);
}
