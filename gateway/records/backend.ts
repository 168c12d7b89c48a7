/**
 * An API backend: where calls come in (host, frontend prefixes), where they go
 * (servers, backend prefixes) and how they are treated (settings).
 */
import * as v from "valibot";
import {
  customNeedsLimits,
  headerList,
  host,
  hostPattern,
  ipRange,
  oneOf,
  pathPrefix,
  port,
  rateLimits,
  requiredText,
  role,
  seconds,
  text,
} from "./fields.ts";

/** How calls to a backend are treated. Absent or null means "inherit the default". */
export const backendSettings = v.pipe(
  v.strictObject({
    require_https: v.nullish(oneOf("required_return_error", "optional")),
    disable_api_key: v.nullish(v.boolean()),
    required_roles: v.nullish(v.array(role), () => []),
    allowed_ips: v.nullish(v.array(ipRange), () => []),
    rate_limit_mode: v.nullish(oneOf("unlimited", "custom")),
    rate_limits: v.nullish(rateLimits, () => []),
    headers: v.nullish(headerList, () => []),
    default_response_headers: v.nullish(headerList, () => []),
    override_response_headers: v.nullish(headerList, () => []),
    connect_timeout_seconds: v.nullish(seconds),
    read_timeout_seconds: v.nullish(seconds),
    send_timeout_seconds: v.nullish(seconds),
  }),
  customNeedsLimits(),
);

const backendServer = v.strictObject({ host, port });

const urlMatch = v.pipe(
  v.strictObject({
    frontend_prefix: pathPrefix,
    backend_prefix: v.nullish(v.union([v.literal(""), pathPrefix])),
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
  name: requiredText(255),
  backend_protocol: v.nullish(oneOf("http", "https"), "http"),
  frontend_host: v.nullish(hostPattern, "*"),
  /** Host header for the upstream; null passes the caller's on. */
  backend_host: v.nullish(v.union([v.pipe(text(255), v.literal("")), hostPattern]), null),
  balance_algorithm: v.nullish(oneOf("least_conn", "round_robin"), "least_conn"),
  servers: v.pipe(
    v.array(backendServer),
    v.minLength(1, "Must have at least one servers"),
    v.maxLength(256, "must hold at most 256 servers"),
    unique("host", (server) => `${server.host.toLowerCase()}:${server.port}`),
  ),
  url_matches: v.pipe(
    v.array(urlMatch),
    v.minLength(1, "Must have at least one url_matches"),
    v.maxLength(256, "must hold at most 256 prefix pairs"),
    unique("frontend_prefix", (match) => match.frontend_prefix),
  ),
  settings: v.nullish(backendSettings, () => v.parse(backendSettings, {})),
  sub_settings: v.nullish(notYet("sub-URL settings"), () => []),
  rewrites: v.nullish(notYet("rewrites"), () => []),
});

/** No two items alike; the second one is to blame, at its field `key`. */
function unique<T extends object>(key: string & keyof T, identity: (item: T) => string) {
  return v.rawCheck<T[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const seen = new Set<string>();
    dataset.value.forEach((item, index) => {
      if (seen.has(identity(item))) {
        addIssue({
          message: "is already taken",
          path: [
            { type: "array", origin: "value", input: dataset.value, key: index, value: item },
            {
              type: "object",
              origin: "value",
              input: item as Record<string, unknown>,
              key,
              value: item[key],
            },
          ],
        });
      }
      seen.add(identity(item));
    });
  });
}

export type BackendSettings = v.InferOutput<typeof backendSettings>;
export type BackendInput = v.InferOutput<typeof backendInput>;

/** Fields every stored record carries. Times are ISO 8601 in UTC. */
export interface RecordStamps {
  readonly id: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly updated_at: string;
  readonly updated_by: string;
  /** Grows by one with every change; the ETag, in quotes. */
  readonly version: number;
}

export type Backend = BackendInput & RecordStamps & {
  /** Ties between equally long prefixes go to the lower number. */
  readonly created_order: number;
};
