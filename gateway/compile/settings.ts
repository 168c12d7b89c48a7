/**
 * The settings of all layers merged, once, when a configuration is compiled: every
 * call then finds plain values and parsed ranges.
 */
import type { CachingRules } from "../cache/storable.ts";
import type { Configuration } from "../config/configuration.ts";
import { compileRanges, type Range } from "../exchange/client.ts";
import { type ClientBounds, clientBounds, type ClientLimits } from "../exchange/client_bounds.ts";
import { hostName } from "../exchange/host_name.ts";
import { compileReferers, type RefererPattern } from "../exchange/referers.ts";
import { compileBucket, type CompiledLimits } from "../limit/compiled_limits.ts";
import type { CompiledQuotas } from "../limit/compiled_quotas.ts";
import type { Hash } from "../limit/keyed_hash.ts";
import { Pattern } from "../patterns/pattern.ts";
import type { UpstreamTimeouts } from "../upstream/timeouts.ts";
import {
  compileHttpsRedirect,
  compileHttpsRules,
  type HttpsRedirect,
  type HttpsRules,
  httpsTransitionStart,
  isHttpsRequired,
  isKeyRequired,
  verifiedFrom,
} from "./access.ts";
import { compileCaching } from "./caching.ts";
import { compileAnswers, type CompiledAnswers } from "./answers.ts";
import { compileCors, type CompiledCors } from "./cors.ts";
import type { Layers } from "./layers.ts";
import { compileLayeredQuotas, compileRateLimits } from "./limits.ts";
import { compileRewriting, type Rewriting } from "./rewriting.ts";

export interface CompiledSettings {
  /** Where each of these came from. */
  readonly layers: Layers;
  readonly apiKeyRequired: boolean;
  readonly httpsRequired: boolean;
  /** These three as in `access.ts`. */
  readonly httpsRedirect: HttpsRedirect | null;
  readonly httpsTransitionStart: number | null;
  readonly verifiedFrom: number;
  /** All of them are needed. */
  readonly requiredRoles: readonly string[];
  /** Empty: any address. */
  readonly allowedAddresses: readonly Range[];
  /** Empty: any page. */
  readonly allowedReferers: readonly RefererPattern[];
  /** Null: off. */
  readonly cors: CompiledCors | null;
  readonly rateLimits: CompiledLimits;
  readonly quotas: CompiledQuotas;
  /** Backends with the same one are counted together. */
  readonly rateLimitBucket: Hash;
  /** Whether callers without a key are held to the limits by key, counted by address. */
  readonly anonymousByKey: boolean;
  /** Whether callers with a key are held to the limits by address. */
  readonly authenticatedByAddress: boolean;
  /** Whether calls are written to the log. */
  readonly isRecorded: boolean;
  /** Null: nothing beyond what is done to all. */
  readonly rewriting: Rewriting | null;
  /** Null: answers are neither kept nor taken out of the cache. */
  readonly caching: CachingRules | null;
  readonly answers: CompiledAnswers;
  readonly timeouts: UpstreamTimeouts;
  readonly clientBounds: ClientBounds;
}

/** What holds where neither a backend nor the default settings say anything. */
export interface ServerDefaults {
  /** Timeouts of the configuration file, in seconds. */
  readonly upstream: {
    readonly connect_timeout_seconds: number;
    readonly read_timeout_seconds: number;
    readonly send_timeout_seconds: number;
    readonly total_timeout_seconds: number | null;
  };
  readonly client: ClientLimits & { readonly body_max_bytes: number | null };
  readonly https: HttpsRules;
  /** Whether answers lose their `Server` (`strip_server_header`). */
  readonly hidesServer: boolean;
  /** Cookies that answers lose when every one of theirs is such (`strip_response_cookies`). */
  readonly strippedAnswerCookies: readonly Pattern[];
}

export function serverDefaults(
  config: Pick<
    Configuration,
    | "base_url"
    | "https_port"
    | "override_public_https_port"
    | "upstream"
    | "client"
    | "router"
    | "strip_response_cookies"
    | "strip_server_header"
  >,
): ServerDefaults {
  const { upstream, client } = config;
  return {
    upstream,
    client,
    https: compileHttpsRules(config),
    hidesServer: config.strip_server_header,
    strippedAnswerCookies: config.strip_response_cookies.map((source) => new Pattern(source)),
  };
}

export function compileSettings(
  layers: Layers,
  server: ServerDefaults,
  frontendHost: string,
): CompiledSettings {
  const timeout = (name: Exclude<keyof ServerDefaults["upstream"], "total_timeout_seconds">) =>
    (layers.value(name) ?? server.upstream[name]) * 1000;
  const total = layers.value("total_timeout_seconds") ?? server.upstream.total_timeout_seconds;
  return {
    layers,
    apiKeyRequired: isKeyRequired(layers),
    httpsRequired: isHttpsRequired(layers, server.https.isServed),
    httpsRedirect: compileHttpsRedirect(layers, server.https),
    httpsTransitionStart: httpsTransitionStart(layers),
    verifiedFrom: verifiedFrom(layers),
    requiredRoles: layers.requiredRoles(),
    allowedAddresses: compileRanges(layers.value("allowed_ips") ?? []),
    allowedReferers: compileReferers(layers.value("allowed_referers") ?? []),
    cors: compileCors(layers),
    rateLimits: compileRateLimits(layers),
    quotas: compileLayeredQuotas(layers),
    rateLimitBucket: compileBucket(
      layers.value("rate_limit_bucket_name") ?? hostName(frontendHost),
    ),
    anonymousByKey: layers.value("anonymous_rate_limit_behavior") !== "ip_only",
    authenticatedByAddress: layers.value("authenticated_rate_limit_behavior") !== "api_key_only",
    isRecorded: layers.value("disable_analytics") !== true,
    rewriting: compileRewriting(layers),
    caching: compileCaching(layers, server.strippedAnswerCookies),
    answers: compileAnswers(layers, server.hidesServer),
    timeouts: {
      connect: timeout("connect_timeout_seconds"),
      read: timeout("read_timeout_seconds"),
      send: timeout("send_timeout_seconds"),
      total: total === null ? null : total * 1000,
    },
    clientBounds: clientBounds(
      server.client,
      layers.value("body_max_bytes") ?? server.client.body_max_bytes,
    ),
  };
}
