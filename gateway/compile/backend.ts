/**
 * One backend, made ready for the request path: its settings and those of its sub-URLs,
 * and the servers that its calls go to.
 */
import type { Configuration } from "../config/configuration.ts";
import { hostName } from "../exchange/host_name.ts";
import type { BackendInput } from "../records/backend.ts";
import type { StrippedCookies } from "../rewriting/cookies.ts";
import { RewriteRules } from "../rewriting/rewrite_rules.ts";
import type { UpstreamGroup } from "../upstream/group.ts";
import { compileCacheSpace } from "./caching.ts";
import { Layers, type StoredSettings } from "./layers.ts";
import { type CompiledSettings, compileSettings, type ServerDefaults } from "./settings.ts";
import { type CompiledSubUrl, compileSubUrl } from "./sub_urls.ts";
import { type UpstreamHost, upstreamHost } from "./upstream_host.ts";
import { type UpstreamSpec, upstreamSpec } from "./upstream_spec.ts";

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

/** The servers of a backend, as they are known already if nothing about them has changed. */
export type GroupOf = (backend: string, spec: UpstreamSpec) => Upstream;

/** What backends are compiled among; one for the APIs, one for the websites. */
export interface Surroundings {
  readonly isWebsite: boolean;
  readonly config: Configuration;
  readonly server: ServerDefaults;
  /** What holds where a backend's settings say nothing. */
  readonly defaultSettings: StoredSettings;
  /** Another text as soon as anything is that holds for every backend. */
  readonly defaults: string;
  readonly strippedCookies: StrippedCookies;
  readonly groupOf: GroupOf;
}

export function compileBackend(
  source: BackendInput,
  id: string | null,
  { isWebsite, config, server, defaultSettings, defaults, strippedCookies, groupOf }: Surroundings,
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
    isWebsite,
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
