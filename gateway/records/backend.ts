/**
 * An API backend: where calls come in (host, frontend prefixes), where they go
 * (servers, backend prefixes) and how they are treated (settings).
 */
import * as v from "valibot";
import type { DraftStamps } from "./stamps.ts";
import { field, hostPattern, oneOf, pathPrefix, requiredText, text, unique } from "./fields.ts";
import { rewrites, subUrls } from "./rewrites.ts";
import { backendServer, backendTls, healthCheck } from "./servers.ts";
import { backendSettings } from "./settings.ts";

/** Where calls come in, and what stands there in the call to the backend. */
interface UrlMatch {
  readonly frontend_prefix: string;
  readonly backend_prefix: string;
  /** Whether the path must be the prefix and no more. */
  readonly exact_match?: boolean;
}

const prefixes = {
  frontend_prefix: field(pathPrefix, "What the path of a call begins with."),
  backend_prefix: field(
    v.nullish(v.union([v.literal(""), pathPrefix])),
    "What stands in its place in the call to the backend. Empty passes the path on as it is.",
  ),
};

const urlMatch = v.pipe(v.strictObject(prefixes), v.transform((match) => completed(match, false)));

const fileUrlMatch = v.pipe(
  v.strictObject({
    ...prefixes,
    exact_match: field(
      v.nullish(v.boolean(), false),
      "Whether the path of a call must be the frontend prefix and no more.",
    ),
  }),
  v.transform((match) => completed(match, match.exact_match)),
);

/** An empty backend prefix means: pass the path on as it is. */
function completed(
  { frontend_prefix, backend_prefix }: {
    readonly frontend_prefix: string;
    readonly backend_prefix?: string | null | undefined;
  },
  exact_match: boolean,
): UrlMatch {
  return {
    frontend_prefix,
    backend_prefix: backend_prefix || frontend_prefix,
    ...(exact_match && { exact_match }),
  };
}

function urlMatches(match: v.GenericSchema<unknown, UrlMatch>) {
  return field(
    v.pipe(
      v.array(match),
      v.minLength(1, "Must have at least one url_matches"),
      v.maxLength(256, "must hold at most 256 prefix pairs"),
      unique("frontend_prefix", (match) => match.frontend_prefix),
    ),
    "Which calls the backend answers. The longest prefix wins.",
  );
}

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
  url_matches: urlMatches(urlMatch),
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
  sub_settings: field(
    v.nullish(subUrls, () => []),
    "Settings of parts of the backend, picked by method and URL. The first that matches holds.",
  ),
  rewrites: field(
    v.nullish(rewrites, () => []),
    "Changes to path and query on the way to the backend. All that match are made, in order.",
  ),
});

/** A backend that the configuration file defines. */
export const fileBackendInput = v.strictObject({
  ...backendInput.entries,
  url_matches: urlMatches(fileUrlMatch),
});

export type BackendInput = v.InferOutput<typeof backendInput>;

/** Ties between equally long prefixes go to the lower `created_order`. */
export type Backend = BackendInput & DraftStamps;
