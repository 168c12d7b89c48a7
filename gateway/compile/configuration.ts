/**
 * The compiled configuration: what is live, made ready for the request path.
 * Compiling happens once a publish; the result is immutable and swapped whole.
 */
import type { Configuration } from "../config/configuration.ts";
import type { ApiKeyMethod } from "../exchange/api_key.ts";
import { compileRanges, type Range } from "../exchange/client.ts";
import { type ClientBounds, clientBounds } from "../exchange/client_bounds.ts";
import { type HeadBounds, headBounds } from "../exchange/head_bounds.ts";
import { hostName } from "../exchange/host_name.ts";
import { canonicalPrefix } from "../exchange/target.ts";
import type { LiveVersion } from "../publish/publishing.ts";
import type { BackendInput } from "../records/backend.ts";
import { StrippedCookies } from "../rewriting/cookies.ts";
import { RewriteRules } from "../rewriting/rewrite_rules.ts";
import { RouteTable } from "./route_table.ts";
import type { UpstreamGroup } from "../upstream/group.ts";
import { type AddressRate, compileAddressRate } from "./address_rate.ts";
import { type Bans, compileBans } from "./bans.ts";
import { compileCacheSpace } from "./caching.ts";
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

/** One frontend prefix of one backend. */
export interface Route {
  readonly frontendPrefix: string;
  readonly backendPrefix: string;
  readonly order: number;
  readonly backend: CompiledBackend;
}

export interface CompiledBackend {
  /** Null for a backend that the configuration file defines. */
  readonly id: string | null;
  readonly name: string;
  /** How calls are treated that no sub-URL is for. */
  readonly settings: CompiledSettings;
  /** In their order; the first that matches a call has its settings. */
  readonly subUrls: readonly CompiledSubUrl[];
  readonly upstreamHost: UpstreamHost;
  /** Changes to path and query; null when there are none. */
  readonly rewrites: RewriteRules | null;
  /** The same of all backends. */
  readonly strippedCookies: StrippedCookies;
  /** What the keys of its answers in the cache begin with. */
  readonly cacheSpace: string;
  /** Where calls go; the group of its servers, kept over a publish that leaves them alone. */
  readonly upstream: UpstreamGroup;
}

export interface CompiledConfiguration {
  /** 0 before the first publish. */
  readonly version: number;
  readonly routes: RouteTable<Route>;
  readonly apiKeyMethods: readonly ApiKeyMethod[];
  readonly trustedProxies: readonly Range[];
  /** How fast calls of one address may come; null: as fast as they do. */
  readonly addressRate: AddressRate | null;
  /** Null: nobody is banned. */
  readonly bans: Bans | null;
  readonly headBounds: HeadBounds;
  /** For Portico's own pages. */
  readonly clientBounds: ClientBounds;
}

/** The servers of a backend, as they are known already if nothing about them has changed. */
type GroupOf = (backend: string, spec: UpstreamSpec) => UpstreamGroup;

/** Compiles the file's backends and the published ones, in that order. */
export function compileConfiguration(
  config: Configuration,
  live: LiveVersion | null,
  groupOf: GroupOf,
): CompiledConfiguration {
  const server = serverDefaults(config);
  const strippedCookies = new StrippedCookies(config.strip_cookies);
  const defaults = JSON.stringify([
    config.default_api_backend_settings,
    config.strip_cookies,
    config.strip_response_cookies,
  ]);
  const routes = new RouteTable<Route>();
  let order = 0;
  const place = (source: BackendInput, id: string | null) => {
    const backend = compileBackend(source, id, {
      config,
      server,
      defaults,
      strippedCookies,
      groupOf,
    });
    for (const { frontend_prefix, backend_prefix } of source.url_matches) {
      routes.add(hostName(source.frontend_host), {
        frontendPrefix: canonicalPrefix(frontend_prefix),
        backendPrefix: canonicalPrefix(backend_prefix),
        order: order++,
        backend,
      });
    }
  };
  for (const source of config.apis) place(source, null);
  for (const source of live?.backends ?? []) place(source, source.id);
  return {
    version: live?.version ?? 0,
    routes,
    apiKeyMethods: config.gatekeeper.api_key_methods,
    trustedProxies: compileRanges(config.router.trusted_proxies),
    addressRate: compileAddressRate(config.router.global_rate_limits),
    bans: compileBans(config.ban),
    headBounds: headBounds(config.client),
    clientBounds: clientBounds(config.client, config.client.body_max_bytes),
  };
}

interface Surroundings {
  readonly config: Configuration;
  readonly server: ServerDefaults;
  /** What else holds for all backends, as text. */
  readonly defaults: string;
  readonly strippedCookies: StrippedCookies;
  readonly groupOf: GroupOf;
}

function compileBackend(
  source: BackendInput,
  id: string | null,
  { config, server, defaults, strippedCookies, groupOf }: Surroundings,
): CompiledBackend {
  const compiled = (sub: StoredSettings | null) =>
    compileSettings(
      new Layers(config.default_api_backend_settings, source.settings, sub),
      server,
      source.frontend_host,
    );
  const settings = compiled(null);
  const key = backendKey(id, source.name);
  return {
    id,
    name: source.name,
    settings,
    subUrls: source.sub_settings.map((sub) => compileSubUrl(sub, compiled(sub.settings))),
    upstreamHost: upstreamHost(source.backend_host, source.frontend_host),
    rewrites: source.rewrites.length === 0 ? null : new RewriteRules(source.rewrites),
    strippedCookies,
    cacheSpace: compileCacheSpace(key, source, defaults),
    upstream: groupOf(
      key,
      upstreamSpec(source, config.upstream.dns_max_age_seconds * 1000),
    ),
  };
}

/** What tells a backend from others: one of the configuration file has no id. */
export function backendKey(id: string | null, name: string): string {
  return id ?? `file ${name}`;
}
