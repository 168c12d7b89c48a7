/**
 * Stage before forwarding: what goes out to the upstream. The target is the
 * canonical one with its prefix replaced and the key removed; the headers are the
 * caller's without the key, hop-by-hop fields and anything that could pass for
 * one of the gateway's own.
 */
import {
  basicUserName,
  type Credential,
  withoutApiKey,
  withoutApiKeyInUrl,
} from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { portOf } from "../exchange/host_name.ts";
import { withoutOwnCookies } from "../exchange/own_cookies.ts";
import { isWellFormedApiKey } from "../keys/api_key.ts";
import type { Call } from "./call.ts";
import { backendPath } from "./match.ts";

export interface Outgoing {
  readonly method: string;
  /** origin-form, RFC 9112 §3.2.1 */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
}

export function rewrite(call: Call): Outgoing {
  return {
    method: call.exchange.method,
    target: outgoingTarget(call),
    headers: outgoingHeaders(call),
  };
}

function outgoingTarget({ exchange, route }: Call): string {
  const path = backendPath(exchange, route);
  const query = withoutApiKey(exchange.query);
  return query === null ? path : `${path}?${query}`;
}

/** Fields that concern one connection only (RFC 9110 §7.6.1), and the framing we do ourselves. */
const HOP_BY_HOP = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * Fields that only the gateway may say; a caller's are dropped in every spelling, and
 * with them whatever else begins with `X-Forwarded-`. The two last ones name another
 * path, which some frameworks serve in place of the one that was decided on.
 */
const OURS = new Set([
  "forwarded",
  "x-api-key",
  "x-api-roles",
  "x-api-user-id",
  "x-real-ip",
  "x-request-id",
  "x-original-url",
  "x-rewrite-url",
]);

/**
 * Whether a field is one of ours as some server would read it: CGI-like ones fold every
 * mark into one, so `X_Api_User_Id` and `X~Api~User~Id` would be a forged identity.
 */
function isOurs(name: string): boolean {
  const folded = PLAIN_NAME.test(name) ? name : name.replace(/[^a-z0-9]/g, "-");
  return folded.startsWith("x-forwarded-") || OURS.has(folded);
}

const PLAIN_NAME = /^[a-z0-9-]+$/;

function outgoingHeaders(
  { exchange, route, settings, credential, holder }: Call,
): [string, string][] {
  const { headers, fields } = exchange;
  const named = connectionOptions(headers.get("connection"));
  const outgoing: [string, string][] = [
    ["host", route.backend.upstreamHost(exchange.host, exchange.authority)],
  ];
  for (const [name, value] of fields) {
    if (HOP_BY_HOP.has(name) || isOurs(name) || named?.has(name)) continue;
    const kept = keptValue(name, value, credential);
    if (kept !== null) outgoing.push([name, kept]);
  }
  outgoing.push(...forwardingHeaders(exchange));
  if (holder !== null) {
    outgoing.push(["x-api-user-id", holder.id]);
    if (holder.roles.size > 0) outgoing.push(["x-api-roles", [...holder.roles].join(",")]);
  }
  return withSetHeaders(outgoing, settings.requestHeaders);
}

/** Names a `Connection` field lists; they end here (RFC 9110 §7.6.1). */
function connectionOptions(connection: string | null): ReadonlySet<string> | null {
  if (connection === null || connection === "keep-alive" || connection === "close") return null;
  return new Set(connection.toLowerCase().split(",").map((option) => option.trim()));
}

/** The value to pass on, or null when the field would carry a key or our own session. */
function keptValue(name: string, value: string, credential: Credential | null): string | null {
  if (name === "authorization") return carriesKey(value, credential) ? null : value;
  if (name === "cookie") return withoutOwnCookies(value);
  // A page that was called with its key in the URL has its browser repeat it here.
  if (name === "referer") return withoutApiKeyInUrl(value);
  return value;
}

/** Fields that came twice arrive joined with a comma, which no Basic credentials hold. */
const JOINED_BASIC = /^basic[ \t][^,]*,|,[ \t]*basic[ \t]/i;

/** Of joined fields none was read, so any of them may hold a key. */
function carriesKey(authorization: string, credential: Credential | null): boolean {
  if (JOINED_BASIC.test(authorization)) return true;
  const user = basicUserName(authorization);
  return user !== null &&
    (credential?.method === "basic_auth_username" || isWellFormedApiKey(user));
}

function forwardingHeaders(exchange: Exchange): [string, string][] {
  const { forwarding, scheme, authority, requestId } = exchange;
  const port = forwarding.port ?? portOf(authority) ??
    (scheme === "https" ? "443" : "80");
  return [
    ["x-forwarded-for", forwarding.chain],
    ["x-forwarded-proto", scheme],
    ["x-forwarded-port", port],
    ["x-forwarded-host", authority],
    ["x-request-id", requestId],
  ];
}

/** Headers that the backend's settings set, in place of any the caller sent. */
function withSetHeaders(
  headers: [string, string][],
  set: readonly { readonly key: string; readonly value: string }[],
): [string, string][] {
  if (set.length === 0) return headers;
  const names = new Set(set.map(({ key }) => key.toLowerCase()));
  const kept = headers.filter(([name]) => !names.has(name));
  return [...kept, ...set.map(({ key, value }): [string, string] => [key.toLowerCase(), value])];
}
