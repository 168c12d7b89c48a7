/**
 * The compiled configuration: what is live, made ready for the request path.
 * Compiling happens once a publish; the result is immutable and swapped whole.
 */
import type { Configuration } from "../config/configuration.ts";
import type { ApiKeyMethod } from "../exchange/api_key.ts";
import { type Entrance, isMachineName } from "../exchange/client.ts";
import { type ClientBounds, clientBounds } from "../exchange/client_bounds.ts";
import { type HeadBounds, headBounds } from "../exchange/head_bounds.ts";
import { hostName } from "../exchange/host_name.ts";
import { HostTable } from "../exchange/host_table.ts";
import { canonicalPrefix } from "../exchange/target.ts";
import type { LiveVersion } from "../publish/publishing.ts";
import type { BackendInput } from "../records/backend.ts";
import type { WebsiteBackendInput } from "../records/website.ts";
import { StrippedCookies } from "../rewriting/cookies.ts";
import { RewriteRules } from "../rewriting/rewrite_rules.ts";
import { type HttpsRedirect, httpsRedirect } from "./access.ts";
import type { ErrorAnswers } from "../refusal/error_answers.ts";
import { RouteTable } from "./route_table.ts";
import type { UpstreamGroup } from "../upstream/group.ts";
import { type AddressRate, compileAddressRate } from "./address_rate.ts";
import { type Bans, compileBans } from "./bans.ts";
import { compileCacheSpace, fingerprint } from "./caching.ts";
import { compileEntrance } from "./entrance.ts";
import { compileErrorAnswers } from "./error_answers.ts";
import { Layers, type StoredSettings } from "./layers.ts";
import {
  type CompiledSettings,
  compileSettings,
  type ServerDefaults,
  serverDefaults,
} from "./settings.ts";
import { type CompiledSubUrl, compileSubUrl } from "./sub_urls.ts";
import { type UpstreamHost, upstreamHost } from "./upstream_host.ts";
import { type UpstreamSpec, upstreamSpec } from "./upstream_spec.ts";
import { websiteBackend, websiteHttps } from "./websites.ts";

/** One frontend prefix of one backend. */
export interface Route {
  readonly frontendPrefix: string;
  readonly backendPrefix: string;
  /** Whether a path must be the prefix and no more. */
  readonly exactMatch?: boolean;
  readonly order: number;
  readonly backend: CompiledBackend;
}

export interface CompiledBackend {
  /** Null for a backend that the configuration file defines. */
  readonly id: string | null;
  readonly name: string;
  /** Whether it is a website's: keys mean nothing to it. */
  readonly isWebsite: boolean;
  /** How calls are treated that no sub-URL is for. */
  readonly settings: CompiledSettings;
  /** In their order; the first that matches a call has its settings. */
  readonly subUrls: readonly CompiledSubUrl[];
  readonly upstreamHost: UpstreamHost;
  /** What callers know it by; null: any host, or many. */
  readonly publicHost: string | null;
  /** Changes to path and query; null when there are none. */
  readonly rewrites: RewriteRules | null;
  /** The same of all backends. */
  readonly strippedCookies: StrippedCookies;
  /** What the keys of its answers in the cache begin with. */
  readonly cacheSpace: string;
  /** Where calls go; the group of its servers, kept over a publish that leaves them alone. */
  readonly upstream: Upstream;
  /** What all this was compiled from. */
  readonly source: BackendInput;
}

/** What calls are handed over to. */
export type Upstream = Pick<UpstreamGroup, "send">;

export interface CompiledConfiguration {
  /** 0 before the first publish. */
  readonly version: number;
  readonly routes: RouteTable<Route>;
  /** Whether a host (lower case, no port) has Portico's pages. */
  readonly hasPages: (host: string) => boolean;
  /** For what is no API's. */
  readonly websites: HostTable<Route>;
  /** Sends what is for nobody to HTTPS; null: it is not found. */
  readonly notFoundRedirect: HttpsRedirect | null;
  /** Values of Strict-Transport-Security; null: no host has one. */
  readonly strictTransport: HostTable<string> | null;
  readonly apiKeyMethods: readonly ApiKeyMethod[];
  /** What refusals say that are no backend's. */
  readonly errors: ErrorAnswers;
  readonly entrance: Entrance;
  /** How fast calls of one address may come; null: as fast as they do. */
  readonly addressRate: AddressRate | null;
  /** Null: nobody is banned. */
  readonly bans: Bans | null;
  readonly headBounds: HeadBounds;
  /** For Portico's own pages. */
  readonly clientBounds: ClientBounds;
}

/** The servers of a backend, as they are known already if nothing about them has changed. */
type GroupOf = (backend: string, spec: UpstreamSpec) => Upstream;

/** Compiles the file's backends and the published ones, in that order. */
export function compileConfiguration(
  config: Configuration,
  live: LiveVersion | null,
  groupOf: GroupOf,
): CompiledConfiguration {
  const server = serverDefaults(config);
  return {
    version: live?.version ?? 0,
    routes: compileRoutes(live, {
      config,
      server,
      defaultSettings: config.default_api_backend_settings,
      defaults: fingerprint(JSON.stringify([
        config.default_api_backend_settings,
        config.strip_cookies,
        config.strip_response_cookies,
      ])),
      strippedCookies: new StrippedCookies(config.strip_cookies),
      groupOf,
    }),
    websites: compileWebsites(live, {
      config,
      server: { ...server, https: websiteHttps(config), strippedAnswerCookies: [] },
      defaultSettings: {},
      defaults: "",
      strippedCookies: new StrippedCookies([]),
      groupOf,
    }),
    hasPages: compilePageHosts(config.router.web_app_host),
    notFoundRedirect: config.router.redirect_not_found_to_https
      ? httpsRedirect(server.https.place)
      : null,
    strictTransport: compileStrictTransport(config),
    apiKeyMethods: config.gatekeeper.api_key_methods,
    errors: compileErrorAnswers(new Layers(config.default_api_backend_settings, {})),
    entrance: compileEntrance(config),
    addressRate: compileAddressRate(config.router.global_rate_limits),
    bans: compileBans(config.ban),
    headBounds: headBounds(config.client),
    clientBounds: clientBounds(config.client, config.client.body_max_bytes),
  };
}

/** Routes of APIs; those of the default host are for every other host too, after all others. */
function compileRoutes(live: LiveVersion | null, surroundings: Surroundings): RouteTable<Route> {
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
function compileWebsites(live: LiveVersion | null, surroundings: Surroundings): HostTable<Route> {
  const { config } = surroundings;
  const entries: (readonly [string, Route])[] = [];
  const place = (website: WebsiteBackendInput, id: string | null) => {
    const source = websiteBackend(website);
    const backend = { ...compileBackend(source, id, surroundings), isWebsite: true };
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

/** Whatever is configured, nobody at the machine, or who knows its address, is locked out. */
function compilePageHosts(pattern: string): CompiledConfiguration["hasPages"] {
  if (pattern === "*") return () => true;
  const hosts = new HostTable([[hostName(pattern), true]]);
  return (host) => hosts.find(host) === true || isMachineName(host);
}

function compileStrictTransport({ hosts }: Configuration): HostTable<string> | null {
  const entries = hosts.flatMap(({ hostname, http_strict_transport_security: value }) =>
    value === null ? [] : [[hostName(hostname), value] as const]
  );
  return entries.length === 0 ? null : new HostTable(entries);
}

interface Surroundings {
  readonly config: Configuration;
  readonly server: ServerDefaults;
  /** What holds where a backend's settings say nothing. */
  readonly defaultSettings: StoredSettings;
  /** All that holds for every backend, as text. */
  readonly defaults: string;
  readonly strippedCookies: StrippedCookies;
  readonly groupOf: GroupOf;
}

function compileBackend(
  source: BackendInput,
  id: string | null,
  { config, server, defaultSettings, defaults, strippedCookies, groupOf }: Surroundings,
): CompiledBackend {
  const compiled = (sub: StoredSettings | null) =>
    compileSettings(
      new Layers(defaultSettings, source.settings, sub),
      server,
      source.frontend_host,
    );
  const settings = compiled(null);
  const key = backendKey(id, source.name);
  return {
    id,
    name: source.name,
    isWebsite: false,
    settings,
    subUrls: source.sub_settings.map((sub) => compileSubUrl(sub, compiled(sub.settings))),
    upstreamHost: upstreamHost(source.backend_host, source.frontend_host),
    publicHost: /^[*.]/.test(source.frontend_host) ? null : hostName(source.frontend_host),
    rewrites: source.rewrites.length === 0 ? null : new RewriteRules(source.rewrites),
    strippedCookies,
    cacheSpace: compileCacheSpace(key, source, defaults),
    upstream: groupOf(
      key,
      upstreamSpec(source, config.upstream.dns_max_age_seconds * 1000),
    ),
    source,
  };
}

/** What tells a backend from others: one of the configuration file has no id. */
export function backendKey(id: string | null, name: string): string {
  return id ?? `file ${name}`;
}
