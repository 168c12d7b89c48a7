/**
 * A backend's settings merged with the defaults, once, when a configuration is
 * compiled: every call then finds plain values and parsed ranges.
 */
import type { BackendSettings } from "../records/backend.ts";
import type { HeaderPair } from "../records/fields.ts";
import { compileRanges, type Range } from "../exchange/client.ts";
import { hostName } from "../exchange/host_name.ts";
import {
  compileBucket,
  type CompiledLimits,
  compileLimits,
  noLimits,
} from "../limit/compiled_limits.ts";
import type { Hash } from "../limit/keyed_hash.ts";
import type { UpstreamTimeouts } from "../upstream/group.ts";

export interface CompiledSettings {
  readonly apiKeyRequired: boolean;
  readonly httpsRequired: boolean;
  /** All of them are needed. */
  readonly requiredRoles: readonly string[];
  /** Empty: any address. */
  readonly allowedAddresses: readonly Range[];
  readonly rateLimits: CompiledLimits;
  /** Backends with the same one are counted together. */
  readonly rateLimitBucket: Hash;
  /** Whether callers without a key are held to the limits by key, counted by address. */
  readonly anonymousByKey: boolean;
  /** Whether callers with a key are held to the limits by address. */
  readonly authenticatedByAddress: boolean;
  /** Whether calls are written to the log. */
  readonly isRecorded: boolean;
  readonly requestHeaders: readonly HeaderPair[];
  readonly defaultResponseHeaders: readonly HeaderPair[];
  readonly overrideResponseHeaders: readonly HeaderPair[];
  readonly timeouts: UpstreamTimeouts;
  /** Null: any number. */
  readonly bodyMaxBytes: number | null;
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
  readonly client: { readonly body_max_bytes: number | null };
  /** Whether the server takes HTTPS calls; if so, plain HTTP is refused. */
  readonly https: boolean;
}

/** A list or value of the backend replaces the default's; absent or empty inherits it. */
export function compileSettings(
  own: BackendSettings,
  defaults: BackendSettings,
  server: ServerDefaults,
  frontendHost: string,
): CompiledSettings {
  const list = <T>(mine: readonly T[], inherited: readonly T[]) =>
    mine.length > 0 ? mine : inherited;
  // Without limits of its own a backend has the default ones: "unlimited" takes the word.
  const limited = own.rate_limit_mode == null ? defaults : own;
  const setting = <Name extends keyof BackendSettings>(name: Name) => own[name] ?? defaults[name];
  const timeout = (name: Exclude<keyof ServerDefaults["upstream"], "total_timeout_seconds">) =>
    (own[name] ?? defaults[name] ?? server.upstream[name]) * 1000;
  const total = own.total_timeout_seconds ?? defaults.total_timeout_seconds ??
    server.upstream.total_timeout_seconds;
  return {
    apiKeyRequired: isKeyRequired(own, defaults),
    httpsRequired: isHttpsRequired(own, defaults, server.https),
    requiredRoles: list(own.required_roles, defaults.required_roles),
    allowedAddresses: compileRanges(list(own.allowed_ips, defaults.allowed_ips)),
    rateLimits: limited.rate_limit_mode === "unlimited"
      ? noLimits
      : compileLimits(limited.rate_limits),
    rateLimitBucket: compileBucket(
      own.rate_limit_bucket_name || defaults.rate_limit_bucket_name || hostName(frontendHost),
    ),
    anonymousByKey: setting("anonymous_rate_limit_behavior") !== "ip_only",
    authenticatedByAddress: setting("authenticated_rate_limit_behavior") !== "api_key_only",
    isRecorded: setting("disable_analytics") !== true,
    requestHeaders: list(own.headers, defaults.headers),
    defaultResponseHeaders: list(own.default_response_headers, defaults.default_response_headers),
    overrideResponseHeaders: list(
      own.override_response_headers,
      defaults.override_response_headers,
    ),
    timeouts: {
      connect: timeout("connect_timeout_seconds"),
      read: timeout("read_timeout_seconds"),
      send: timeout("send_timeout_seconds"),
      total: total === null ? null : total * 1000,
    },
    bodyMaxBytes: own.body_max_bytes ?? defaults.body_max_bytes ?? server.client.body_max_bytes,
  };
}

/** Whether calls need an API key. */
export function isKeyRequired(own: BackendSettings, defaults: BackendSettings): boolean {
  return !(own.disable_api_key ?? defaults.disable_api_key ?? false);
}

/** Whether plain HTTP calls are refused; `https` says whether the server takes HTTPS calls. */
export function isHttpsRequired(
  own: BackendSettings,
  defaults: BackendSettings,
  https: boolean,
): boolean {
  const required = own.require_https ?? defaults.require_https ??
    (https ? "required_return_error" : "optional");
  return required === "required_return_error";
}
