/** Stage 1: which backend a call is for, and which of its settings. */
import type { CompiledConfiguration } from "../compile/configuration.ts";
import type { Route } from "../compile/routes.ts";
import type { CompiledSettings } from "../compile/settings.ts";
import { withoutApiKey } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { leniently, withoutEscapes, withSingleSlashes } from "../exchange/path_readings.ts";

export interface Match {
  readonly route: Route;
  readonly settings: CompiledSettings;
}

/**
 * The route with the longest matching prefix and the first sub-URL that matches; else that
 * of the host's website; or none.
 */
export function match(exchange: Exchange, configuration: CompiledConfiguration): Match | undefined {
  const { host, path } = exchange;
  const route = apiRoute(host, path, configuration) ?? configuration.websites.find(host);
  if (route === undefined) return undefined;
  const read = leniently(path);
  if (read !== path && isForAnother(apiRoute(host, read, configuration), route)) return undefined;
  return { route, settings: settingsFor(exchange, route) };
}

/** `/` itself is no API's, whatever prefix it has: it is the homepage, or the website's. */
function apiRoute(
  host: string,
  path: string,
  { routes }: CompiledConfiguration,
): Route | undefined {
  return path === "/" ? undefined : routes.find(host, path);
}

/**
 * Whether a path that was found to be `found`'s can be read as one of a backend that asks
 * for more of it. It is nobody's then: `//v1/x` is not for the website beside `/v1/`, whose
 * server may be the same.
 */
function isForAnother(read: Route | undefined, found: Route): boolean {
  return read !== undefined && read.backend !== found.backend &&
    read.frontendPrefix.length > found.frontendPrefix.length;
}

/** The path with the backend's prefix in place of the frontend's. */
export function backendPath({ path }: Exchange, route: Route): string {
  return route.backendPrefix + path.slice(route.frontendPrefix.length);
}

/**
 * Those of the first sub-URL that matches, or the backend's. Sub-URLs are matched against
 * what the backend gets, but for the key: path and query, as they are and as they are read.
 */
export function settingsFor(
  exchange: Exchange,
  route: Route,
  method: string = exchange.method,
): CompiledSettings {
  const { subUrls, settings } = route.backend;
  if (subUrls.length === 0) return settings;
  const path = withSingleSlashes(backendPath(exchange, route));
  const query = withoutApiKey(exchange.query);
  const target = query === null ? path : `${path}?${query}`;
  const read = withoutEscapes(target);
  const sub = subUrls.find((sub) =>
    sub.matches(method, target) || (read !== target && sub.matches(method, read))
  );
  return sub?.settings ?? settings;
}
