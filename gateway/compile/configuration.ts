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
import type { LiveVersion } from "../publish/publishing.ts";
import type { ErrorAnswers } from "../refusal/error_answers.ts";
import { StrippedCookies } from "../rewriting/cookies.ts";
import { type HttpsRedirect, httpsRedirect } from "./access.ts";
import { type AddressRate, compileAddressRate } from "./address_rate.ts";
import type { GroupOf } from "./backend.ts";
import { type Bans, compileBans } from "./bans.ts";
import { fingerprint } from "./caching.ts";
import { compileEntrance } from "./entrance.ts";
import { compileErrorAnswers } from "./error_answers.ts";
import { Layers } from "./layers.ts";
import type { RouteTable } from "./route_table.ts";
import { compileRoutes, compileWebsites, type Route } from "./routes.ts";
import { serverDefaults } from "./settings.ts";
import { websiteHttps } from "./websites.ts";

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
      isWebsite: false,
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
      isWebsite: true,
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
