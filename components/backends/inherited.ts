/**
 * What a backend that sets nothing itself is treated by, in words: shown wherever
 * its form leaves a setting to the server's defaults.
 */
import { Layers } from "@/gateway/compile/layers.ts";
import { compileSettings, serverDefaults } from "@/gateway/compile/settings.ts";
import type { Configuration } from "@/gateway/config/configuration.ts";
import { limitWords } from "@/gateway/limit/policies.ts";
import type { HeaderPair, RateLimit } from "@/gateway/records/fields.ts";
import { choiceLabel } from "./field_choices.ts";

export interface Inherited {
  readonly require_https: string;
  readonly disable_api_key: string;
  readonly required_roles: string;
  readonly allowed_ips: string;
  readonly rate_limit_mode: string;
  /** A line each; none when it is unlimited. */
  readonly rate_limits: readonly string[];
  /** Empty: that of the frontend host. */
  readonly rate_limit_bucket_name: string;
  readonly anonymous_rate_limit_behavior: string;
  readonly authenticated_rate_limit_behavior: string;
  readonly disable_analytics: string;
  readonly headers: string;
  readonly default_response_headers: string;
  readonly override_response_headers: string;
  /** Seconds. */
  readonly connect_timeout_seconds: string;
  readonly read_timeout_seconds: string;
  readonly send_timeout_seconds: string;
  readonly total_timeout_seconds: string;
  readonly body_max_bytes: string;
}

export function inheritedSettings(config: Configuration): Inherited {
  const defaults = config.default_api_backend_settings;
  const effective = compileSettings(new Layers(defaults, {}), serverDefaults(config), "*");
  const limits = defaults.rate_limit_mode === "unlimited" ? [] : defaults.rate_limits;
  const seconds = (milliseconds: number) => String(milliseconds / 1000);
  return {
    require_https: effective.httpsRequired ? "required" : "optional",
    disable_api_key: effective.apiKeyRequired ? "required" : "not required",
    required_roles: listWords(effective.requiredRoles, "none"),
    allowed_ips: listWords(defaults.allowed_ips, "any"),
    rate_limit_mode: limits.length === 0 ? "unlimited" : limitCount(limits.length),
    rate_limits: limits.map(rateLimitWords),
    rate_limit_bucket_name: defaults.rate_limit_bucket_name ?? "",
    anonymous_rate_limit_behavior: choiceWords(
      "settings.anonymous_rate_limit_behavior",
      effective.anonymousByKey ? "ip_fallback" : "ip_only",
    ),
    authenticated_rate_limit_behavior: choiceWords(
      "settings.authenticated_rate_limit_behavior",
      effective.authenticatedByAddress ? "all" : "api_key_only",
    ),
    disable_analytics: choiceWords("settings.disable_analytics", String(!effective.isRecorded)),
    headers: headerWords(effective.requestHeaders),
    default_response_headers: headerWords(defaults.default_response_headers),
    override_response_headers: headerWords(defaults.override_response_headers),
    connect_timeout_seconds: seconds(effective.timeouts.connect),
    read_timeout_seconds: seconds(effective.timeouts.read),
    send_timeout_seconds: seconds(effective.timeouts.send),
    total_timeout_seconds: effective.timeouts.total === null
      ? "no limit"
      : seconds(effective.timeouts.total),
    body_max_bytes: effective.bodyMaxBytes === null ? "no limit" : String(effective.bodyMaxBytes),
  };
}

function listWords(items: readonly string[], none: string): string {
  return items.length === 0 ? none : items.join(", ");
}

function headerWords(headers: readonly HeaderPair[]): string {
  return listWords(headers.map(({ key }) => key), "none");
}

/** In the words of the form, within a sentence. */
function choiceWords(field: string, value: string): string {
  const label = choiceLabel(field, value) ?? value;
  return label.charAt(0).toLowerCase() + label.slice(1);
}

/** `5 limits`. */
function limitCount(count: number): string {
  return `${count} ${count === 1 ? "limit" : "limits"}`;
}

/** `1,000 calls an hour by API key`. */
export function rateLimitWords({ limit, limit_by, duration }: RateLimit): string {
  return limitWords({ calls: limit, duration, by: limit_by });
}
