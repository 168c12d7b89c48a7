/**
 * What an answer is stored under: the backend, with all that its calls depend on, and
 * the public URL without the API key. A purge by URL or prefix looks at that URL, so it
 * is written in one way: host in lower case, no default port.
 */
import { withoutApiKey } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { portOf, USUAL_PORTS } from "../exchange/host_name.ts";

const SEPARATOR = "\n"; // which no URL has

/** What all keys of a backend begin with, as long as it stays as it is. */
export function cacheSpace(backend: string, revision: string): string {
  return backend + SEPARATOR + revision + SEPARATOR;
}

export function cacheKey(
  space: string,
  exchange: Pick<Exchange, "scheme" | "host" | "authority" | "path" | "query">,
): string {
  const { scheme, path } = exchange;
  const query = withoutApiKey(exchange.query);
  const place = `${space}${scheme}://${publicHost(exchange)}${path}`;
  return query === null ? place : `${place}?${query}`;
}

/** Backend and URL of a key. */
export function partsOf(key: string): { readonly backend: string; readonly url: string } {
  const end = key.lastIndexOf(SEPARATOR);
  const backendEnd = key.lastIndexOf(SEPARATOR, end - 1);
  return { backend: key.slice(0, backendEnd), url: key.slice(end + 1) };
}

/**
 * Whom and what the backend is asked for: `target`, and host and port as it is told them,
 * where they are not those of the key. Links in its answer may repeat them, and only
 * callers who have written `EXAMPLE.org.:80` too are to get such ones.
 */
export function askedFor(
  { host, authority, forwarding: { port } }: Pick<Exchange, "host" | "authority"> & {
    readonly forwarding: Pick<Exchange["forwarding"], "port">;
  },
  target: string,
): string {
  return authority === host && port === null ? target : `${authority} ${port} ${target}`;
}

/** Host and port, without the port that the scheme says anyway. */
export function publicHost(
  { scheme, host, authority }: Pick<Exchange, "scheme" | "host" | "authority">,
): string {
  if (authority.length === host.length) return host;
  const port = portOf(authority);
  return port === undefined || port === USUAL_PORTS[scheme] ? host : `${host}:${port}`;
}
