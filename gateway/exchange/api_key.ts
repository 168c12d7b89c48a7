/**
 * Where a call's API key is: header, query or Basic user name, and the query and
 * headers without it. The key must not travel on to the upstream or the log.
 */
import type { Exchange } from "./exchange.ts";
import { argumentName, decodeArgument, rawArgumentValue } from "./query_argument.ts";

export const apiKeyMethods = ["header", "get_param", "basic_auth_username"] as const;

export type ApiKeyMethod = (typeof apiKeyMethods)[number];

export interface Credential {
  readonly key: string;
  readonly method: ApiKeyMethod;
}

/** The first non-empty key in the order of `methods`; null when there is none. */
export function readApiKey(
  exchange: Pick<Exchange, "headers" | "query">,
  methods: readonly ApiKeyMethod[],
): Credential | null {
  for (const method of methods) {
    const key = readers[method](exchange);
    if (key !== null && key !== "") return { key, method };
  }
  return null;
}

const readers: Record<
  ApiKeyMethod,
  (exchange: Pick<Exchange, "headers" | "query">) => string | null
> = {
  header: ({ headers }) => headers.get("x-api-key"),
  get_param: ({ query }) => query === null ? null : queryKey(query),
  basic_auth_username: ({ headers }) => basicUserName(headers.get("authorization")),
};

/** The value of the first `api_key` argument, decoded. */
function queryKey(query: string): string | null {
  if (!mayHoldKey(query)) return null;
  const argument = query.split("&").find(isKeyArgument);
  return argument === undefined ? null : decodeArgument(rawArgumentValue(argument));
}

/**
 * The query without every `api_key` argument, the rest byte for byte; null when
 * nothing is left that the client had put there.
 */
export function withoutApiKey(query: string | null): string | null {
  if (query === null || !mayHoldKey(query)) return query;
  const kept = query.split("&").filter((argument) => !isKeyArgument(argument));
  return kept.length === 0 ? null : kept.join("&");
}

/** A URL without every `api_key` argument in its query, the rest byte for byte. */
export function withoutApiKeyInUrl(url: string): string {
  const queryStart = url.indexOf("?") + 1;
  if (queryStart === 0 || !mayHoldKey(url)) return url;
  const fragment = url.indexOf("#", queryStart);
  const queryEnd = fragment === -1 ? url.length : fragment;
  const kept = withoutApiKey(url.slice(queryStart, queryEnd));
  return url.slice(0, kept === null ? queryStart - 1 : queryStart) + (kept ?? "") +
    url.slice(queryEnd);
}

/** Cheap test that spares nearly every query the split. */
function mayHoldKey(query: string): boolean {
  return query.includes("api") || query.includes("%");
}

/** Whether an argument's name is `api_key`, in any spelling an upstream would decode to it. */
function isKeyArgument(argument: string): boolean {
  return argumentName(argument) === "api_key";
}

/**
 * The user name of a Basic `Authorization` header (RFC 7617); null for another
 * scheme, broken base64, or a name that is no printable text.
 */
export function basicUserName(authorization: string | null): string | null {
  if (authorization === null) return null;
  const match = /^basic[ \t]+([A-Za-z0-9+/=_-]+) *$/i.exec(authorization);
  if (match?.[1] === undefined) return null;
  try {
    const decoded = atob(match[1]);
    const colon = decoded.indexOf(":");
    const name = colon === -1 ? decoded : decoded.slice(0, colon);
    return /^[\x21-\x7e]+$/.test(name) ? name : null;
  } catch {
    return null; // not base64: the same as no key (API Umbrella answers API_KEY_MISSING)
  }
}

const KEY_LIKE = /ptk_[0-9A-Za-z]{6,}/g;
const KEY_ARGUMENT = /([?&;]api_key=)[^&#\s]*/gi;

/**
 * Text for the log: whatever looks like a key, and any `api_key` argument in a
 * URL, is masked. A Referer or a path may carry a key that we never looked at.
 */
export function masked(text: string): string {
  if (!text.includes("ptk_") && !text.includes("api_key")) return text;
  return text.replace(KEY_ARGUMENT, "$1[removed]").replace(KEY_LIKE, "ptk_[removed]");
}
