/**
 * Keeps what is secret about a call out of what is said of it: the API key that it
 * carried, wherever it turns up, and credentials for the backend.
 */
import { masked } from "../exchange/api_key.ts";

/** What stands in place of a secret. */
export const MASK = "[removed]";

/** Shorter ones are nobody's, and taking them out would leave holes in other words. */
const KEY_MIN_LENGTH = 8;

/** `value`, of whatever shape, with every text in it free of `keys`. */
export function withoutKeys<T>(value: T, keys: readonly string[]): T {
  const secrets = [...keys.filter((key) => key.length >= KEY_MIN_LENGTH), MASK];
  const spellings = new Set(secrets.flatMap((key) => [key, encodeURIComponent(key)]));
  return cleaned(value, [...spellings]) as T; // the shape stays
}

function cleaned(value: unknown, spellings: readonly string[]): unknown {
  if (typeof value === "string") {
    return masked(spellings.reduce((text, spelling) => text.replaceAll(spelling, MASK), value));
  }
  if (Array.isArray(value)) return value.map((item) => cleaned(item, spellings));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, cleaned(inner, spellings)]),
  );
}

/** `Basic …` as `Basic [removed]`; whose credentials they are makes no difference. */
export function withoutCredentials(name: string, value: string): string {
  if (name !== "authorization" && name !== "proxy-authorization") return value;
  const [scheme = ""] = value.split(/\s/, 1);
  return scheme === value ? MASK : `${scheme} ${MASK}`;
}
