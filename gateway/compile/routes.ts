/**
 * Which backend the calls to a host and path are for: the routes of APIs by host and
 * prefix, those of websites by host.
 */
import type { Configuration } from "../config/configuration.ts";
import { hostName } from "../exchange/host_name.ts";
import { HostTable } from "../exchange/host_table.ts";
import { canonicalPrefix } from "../exchange/target.ts";
import type { LiveVersion } from "../publish/publishing.ts";
import type { BackendInput } from "../records/backend.ts";
import type { WebsiteBackendInput } from "../records/website.ts";
import { compileBackend, type CompiledBackend, type Surroundings } from "./backend.ts";
import { RouteTable } from "./route_table.ts";
import { websiteBackend } from "./websites.ts";

/** One frontend prefix of one backend. */
export interface Route {
  readonly frontendPrefix: string;
  readonly backendPrefix: string;
  /** Whether a path must be the prefix and no more. */
  readonly exactMatch?: boolean;
  readonly order: number;
  readonly backend: CompiledBackend;
}

/** Routes of APIs; those of the default host are for every other host too, after all others. */
export function compileRoutes(
  live: LiveVersion | null,
  surroundings: Surroundings,
): RouteTable<Route> {
  const { config } = surroundings;
  const routes = new RouteTable<Route>();
  const ofDefaultHost: Route[] = [];
  const defaultHost = defaultHostOf(config);
  let order = 0;
  const place = (source: BackendInput, id: string | null) => {
    const host = hostName(source.frontend_host);
    for (const route of routesOf(source, compileBackend(source, id, surroundings))) {
      const placed = { ...route, order: order++ };
      routes.add(host, placed);
      if (host === defaultHost) ofDefaultHost.push(placed);
    }
  };
  for (const source of config.apis) place(source, null);
  for (const source of live?.backends ?? []) place(source, source.id);
  for (const route of ofDefaultHost) routes.add("*", { ...route, order: order++ });
  return routes;
}

/** Websites by host; that of the default host is for every host that has none. */
export function compileWebsites(
  live: LiveVersion | null,
  surroundings: Surroundings,
): HostTable<Route> {
  const { config } = surroundings;
  const entries: (readonly [string, Route])[] = [];
  const place = (website: WebsiteBackendInput, id: string | null) => {
    const source = websiteBackend(website);
    const backend = compileBackend(source, id, surroundings);
    const host = hostName(source.frontend_host);
    for (const route of routesOf(source, backend)) entries.push([host, { ...route, order: 0 }]);
  };
  for (const website of config.website_backends) place(website, null);
  for (const website of live?.website_backends ?? []) place(website, website.id);
  const defaultHost = defaultHostOf(config);
  const ofDefaultHost = entries.filter(([host]) => host === defaultHost)
    .map(([, route]) => ["*", route] as const);
  return new HostTable([...entries, ...ofDefaultHost]);
}

function routesOf(source: BackendInput, backend: CompiledBackend): Omit<Route, "order">[] {
  return source.url_matches.map(({ frontend_prefix, backend_prefix, exact_match = false }) => ({
    exactMatch: exact_match,
    frontendPrefix: canonicalPrefix(frontend_prefix),
    backendPrefix: canonicalPrefix(backend_prefix),
    backend,
  }));
}

function defaultHostOf({ hosts }: Configuration): string | null {
  const host = hosts.find((host) => host.default);
  return host === undefined ? null : hostName(host.hostname);
}
