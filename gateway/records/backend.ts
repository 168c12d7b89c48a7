/**
 * An API backend: where calls come in (host, frontend prefixes), where they go
 * (servers, backend prefixes) and how they are treated (settings).
 */
import * as v from "valibot";
import type { RecordStamps } from "./stamps.ts";
import {
  bytes,
  customNeedsLimits,
  field,
  headerList,
  hostPattern,
  ipRange,
  limitsAreCustom,
  oneOf,
  pathPrefix,
  rateLimits,
  requiredText,
  role,
  seconds,
  text,
  unique,
} from "./fields.ts";
import { backendServer, backendTls, healthCheck } from "./servers.ts";

/** How calls to a backend are treated. Absent or null means "inherit the default". */
export const backendSettings = v.pipe(
  v.strictObject({
    require_https: field(
      v.nullish(oneOf("required_return_error", "optional")),
      "required_return_error refuses plain HTTP calls with HTTPS_REQUIRED, optional takes both.",
    ),
    disable_api_key: field(
      v.nullish(v.boolean()),
      "Whether calls may come without an API key. One that is sent is checked all the same.",
    ),
    disable_analytics: field(
      v.nullish(v.boolean()),
      "Whether calls are left out of the log, refused ones as well.",
    ),
    required_roles: field(
      v.nullish(v.array(role), () => []),
      "Roles a caller must have, all of them.",
    ),
    allowed_ips: field(
      v.nullish(v.array(ipRange), () => []),
      "IP addresses and ranges that calls may come from. Empty means any.",
    ),
    rate_limit_mode: field(
      v.nullish(oneOf("unlimited", "custom")),
      "unlimited, or custom for the limits in rate_limits. Empty inherits the default limits.",
    ),
    rate_limits: field(
      v.nullish(rateLimits, () => []),
      "Limits that all hold, in this order; the first one exceeded refuses a call.",
    ),
    rate_limit_bucket_name: field(
      v.nullish(text(255)),
      "What counters are shared under: backends with the same name share them. " +
        "Empty means the frontend host.",
    ),
    anonymous_rate_limit_behavior: field(
      v.nullish(oneOf("ip_fallback", "ip_only")),
      "Of calls without an API key: ip_fallback (the default) holds them to the limits by " +
        "api_key too, counted by IP address; ip_only to the limits by ip alone.",
    ),
    authenticated_rate_limit_behavior: field(
      v.nullish(oneOf("all", "api_key_only")),
      "Of calls with an API key: all (the default) holds them to every limit, api_key_only to " +
        "the limits by api_key alone.",
    ),
    headers: field(
      v.nullish(headerList, () => []),
      "Headers set on the request to the backend.",
    ),
    default_response_headers: field(
      v.nullish(headerList, () => []),
      "Headers set on the answer where the backend sent none of that name.",
    ),
    override_response_headers: field(
      v.nullish(headerList, () => []),
      "Headers set on the answer in place of the backend's.",
    ),
    connect_timeout_seconds: field(
      v.nullish(seconds),
      "Longest wait for a connection, in place of upstream.connect_timeout_seconds.",
    ),
    read_timeout_seconds: field(
      v.nullish(seconds),
      "Longest silence of the backend, in place of upstream.read_timeout_seconds.",
    ),
    send_timeout_seconds: field(
      v.nullish(seconds),
      "Longest wait to send more, in place of upstream.send_timeout_seconds.",
    ),
    total_timeout_seconds: field(
      v.nullish(seconds),
      "Longest time for a whole call, in place of upstream.total_timeout_seconds.",
    ),
    body_max_bytes: field(
      v.nullish(bytes),
      "Largest body of a request, in place of client.body_max_bytes.",
    ),
  }),
  customNeedsLimits(),
  limitsAreCustom(),
);

const urlMatch = v.pipe(
  v.strictObject({
    frontend_prefix: field(pathPrefix, "What the path of a call begins with."),
    backend_prefix: field(
      v.nullish(v.union([v.literal(""), pathPrefix])),
      "What stands in its place in the call to the backend. Empty passes the path on as it is.",
    ),
  }),
  // An empty backend prefix means: pass the path on as it is.
  v.transform((match) => ({
    frontend_prefix: match.frontend_prefix,
    backend_prefix: match.backend_prefix || match.frontend_prefix,
  })),
);

const notYet = (what: string) =>
  v.pipe(
    v.array(v.unknown()),
    v.maxLength(0, `must be empty: this version has no ${what}`),
  );

/** What an admin sends to create or replace a backend. */
export const backendInput = v.strictObject({
  name: field(requiredText(255), "What the backend is called in the admin and in Analytics."),
  backend_protocol: field(
    v.nullish(oneOf("http", "https"), "http"),
    "How the servers are spoken to: http or https.",
  ),
  frontend_host: field(
    v.nullish(hostPattern, "*"),
    "Host that calls are made to: a name, *.example.com, .example.com, or * for any.",
  ),
  backend_host: field(
    v.nullish(v.union([v.pipe(text(255), v.literal("")), hostPattern]), null),
    "Host header for the servers. Empty passes the caller's on.",
  ),
  balance_algorithm: field(
    v.nullish(oneOf("least_conn", "round_robin", "ip_hash"), "least_conn"),
    "How the server for a call is chosen: least_conn, round_robin, or ip_hash, which sends a " +
      "caller's address (of IPv6 the first 64 bits) to the same server each time.",
  ),
  servers: field(
    v.pipe(
      v.array(backendServer),
      v.minLength(1, "Must have at least one servers"),
      v.maxLength(256, "must hold at most 256 servers"),
      unique("host", (server) => `${server.host.toLowerCase()}:${server.port}`),
    ),
    "Where the backend runs.",
  ),
  url_matches: field(
    v.pipe(
      v.array(urlMatch),
      v.minLength(1, "Must have at least one url_matches"),
      v.maxLength(256, "must hold at most 256 prefix pairs"),
      unique("frontend_prefix", (match) => match.frontend_prefix),
    ),
    "Which calls the backend answers. The longest prefix wins.",
  ),
  backend_tls: field(
    v.nullish(backendTls, null),
    "How servers are verified that are spoken to by https. Empty means the usual way: by the " +
      "well-known authorities, for the server's host.",
  ),
  health_check: field(
    v.nullish(healthCheck, null),
    "How servers are asked at intervals whether they are well. Empty means not at all: then a " +
      "server is left out for a while when calls find that it cannot be reached.",
  ),
  settings: field(
    v.nullish(backendSettings, () => v.parse(backendSettings, {})),
    "How calls are treated.",
  ),
  sub_settings: v.nullish(notYet("sub-URL settings"), () => []),
  rewrites: v.nullish(notYet("rewrites"), () => []),
});

export type BackendSettings = v.InferOutput<typeof backendSettings>;
export type BackendInput = v.InferOutput<typeof backendInput>;

export type Backend = BackendInput & RecordStamps & {
  /** Ties between equally long prefixes go to the lower number. */
  readonly created_order: number;
};
