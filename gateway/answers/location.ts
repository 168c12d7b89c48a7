/**
 * Redirects of a backend, mapped back to where its callers know it: `Location` names
 * the public host and prefix in place of the backend's (API Umbrella §2.8).
 */
import { hostName } from "../exchange/host_name.ts";

/** The call that is answered, as far as its redirect depends on it. */
export interface Redirected {
  /** The backend's host as it was told: what its own URLs begin with. */
  readonly upstreamHost: string;
  readonly backendPrefix: string;
  readonly frontendPrefix: string;
  /** Scheme, host and port that callers reach the backend at, over each scheme. */
  readonly publicOrigin: (scheme: "http" | "https") => string;
  /**
   * The key that the caller had in its URL; null if it was anywhere else, or nowhere. A
   * key out of a header is never put into a URL, which ends up in histories and logs.
   */
  readonly keyInQuery: string | null;
}

/** Nothing that a browser would drop or take for a slash, which would turn it into another URL. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e\x80-\xff]+$/;

/** Without user or password: whoever writes those means something else. */
const ABSOLUTE = /^(https?):\/\/([^/?#@]+)(\/[^?#]*)?(\?[^#]*)?(#.*)?$/i;
const ROOTED = /^()()(\/(?!\/)[^?#]*)(\?[^#]*)?(#.*)?$/;

/** The value to send; the same if it leads elsewhere, or cannot be told. */
export function publicLocation(location: string, call: Redirected): string {
  const parts = PLAIN.test(location) ? ABSOLUTE.exec(location) ?? ROOTED.exec(location) : null;
  if (parts === null) return location;
  const [, scheme = "", authority = "", path = "/", query = "", fragment = ""] = parts;
  const isAbsolute = authority !== "";
  if (isAbsolute && hostName(authority) !== hostName(call.upstreamHost)) return location;
  const publicPath = mapped(path, call);
  if (!isAbsolute && publicPath === null) return location;
  const origin = isAbsolute ? call.publicOrigin(isHttps(scheme) ? "https" : "http") : "";
  const target = publicPath ?? path;
  // Without a host, two slashes would begin one.
  if (!isAbsolute && target.startsWith("//")) return location;
  return origin + target + withKey(query, call.keyInQuery) + fragment;
}

function isHttps(scheme: string): boolean {
  return scheme.toLowerCase() === "https";
}

/** The path under the public prefix; null if it is not under the backend's. */
function mapped(path: string, { backendPrefix, frontendPrefix }: Redirected): string | null {
  if (!path.startsWith(backendPrefix)) return null;
  // Some backends know their public prefix, and one that lies within the backend's is ambiguous.
  if (frontendPrefix.startsWith(backendPrefix) && path.startsWith(frontendPrefix)) return path;
  return frontendPrefix + path.slice(backendPrefix.length);
}

const KEY_ARGUMENT = /[?&]api_key=/;

/** The query with the caller's key behind its other arguments, unless it has one. */
function withKey(query: string, key: string | null): string {
  if (key === null || KEY_ARGUMENT.test(query)) return query;
  const rest = query === "" || query === "?" ? "?" : `${query}&`;
  return `${rest}api_key=${encodeURIComponent(key)}`;
}
