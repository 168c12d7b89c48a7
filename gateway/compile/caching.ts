/** How calls to a backend use the cache, and what tells the backend's answers from others. */
import { cacheSpace } from "../cache/key.ts";
import type { CachingRules } from "../cache/storable.ts";
import { KeyedHash } from "../limit/keyed_hash.ts";
import type { Pattern } from "../patterns/pattern.ts";
import type { BackendInput } from "../records/backend.ts";
import type { HeaderPair } from "../records/fields.ts";
import type { Layers } from "./layers.ts";

/** Null when nothing is to be kept: it is off, or each caller may get answers of its own. */
export function compileCaching(
  layers: Layers,
  strippedCookies: readonly Pattern[],
): CachingRules | null {
  const isPersonal = layers.value("pass_api_key_header") === true ||
    layers.value("pass_api_key_query_param") === true ||
    (layers.value("headers") ?? []).some(passesCredentials);
  if (isPersonal || layers.value("cache_mode") === "off") return null;
  return { defaultLifetime: layers.value("cache_max_age_seconds") ?? null, strippedCookies };
}

const CREDENTIALS = /authorization|cookie/i;

/** Whether a template may give the backend what one caller alone has, under whatever name. */
function passesCredentials({ key, value }: HeaderPair): boolean {
  return value.includes("{{") && (CREDENTIALS.test(key) || CREDENTIALS.test(value));
}

/**
 * What all keys of the backend's answers begin with. It is another one as soon as
 * anything about the backend is, so answers from before are not found any more.
 * @param backend `backendKey`
 * @param defaults another text as soon as anything is that holds for all backends
 */
export function compileCacheSpace(backend: string, source: BackendInput, defaults: string): string {
  // A published backend has another version with each change; one of the file has none.
  const content = "version" in source
    ? `version ${source.version}`
    : fingerprint(JSON.stringify(source));
  return cacheSpace(backend, `${content}, ${defaults}`);
}

const HASH = new KeyedHash({ high: 0x706f7274, low: 0x69636f21 });

/** A short text that stands for a long one. */
export function fingerprint(text: string): string {
  const { high, low } = HASH.ofText(text);
  return (high >>> 0).toString(36) + (low >>> 0).toString(36);
}
