/**
 * Stage before forwarding: what goes out to the upstream. The target is the
 * canonical one with its prefix replaced and the key removed; the headers are the
 * caller's without the key, hop-by-hop fields and anything that could pass for
 * one of the gateway's own.
 */
import { basicUserName, type Credential, withoutApiKey } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { isWellFormedApiKey } from "../keys/api_key.ts";
import type { Call } from "./call.ts";

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
  const path = route.backendPrefix + exchange.path.slice(route.frontendPrefix.length);
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

/** Fields that only the gateway may say; a caller's are dropped in every spelling. */
const OURS = new Set([
  "forwarded",
  "x-api-key",
  "x-api-roles",
  "x-api-user-id",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-prefix",
  "x-forwarded-proto",
  "x-real-ip",
  "x-request-id",
]);

/**
 * Whether a field is one of ours as some server would read it: CGI-like ones fold
 * `-`, `_` and `.` together, so `X_Api_User_Id` would be a forged identity.
 */
function isOurs(name: string): boolean {
  return OURS.has(/[_.]/.test(name) ? name.replace(/[_.]/g, "-") : name);
}

function outgoingHeaders({ exchange, route, credential, holder }: Call): [string, string][] {
  const { headers } = exchange;
  const named = connectionOptions(headers.get("connection"));
  const outgoing: [string, string][] = [
    ["host", route.backend.upstreamHost(exchange.host, exchange.authority)],
  ];
  for (const [name, value] of headers) {
    if (HOP_BY_HOP.has(name) || isOurs(name) || named?.has(name)) continue;
    const kept = keptValue(name, value, credential);
    if (kept !== null) outgoing.push([name, kept]);
  }
  outgoing.push(...forwardingHeaders(exchange));
  if (holder !== null) {
    outgoing.push(["x-api-user-id", holder.id]);
    if (holder.roles.size > 0) outgoing.push(["x-api-roles", [...holder.roles].join(",")]);
  }
  return withSetHeaders(outgoing, route.backend.settings.requestHeaders);
}

/** Names a `Connection` field lists; they end here (RFC 9110 §7.6.1). */
function connectionOptions(connection: string | null): ReadonlySet<string> | null {
  if (connection === null || connection === "keep-alive" || connection === "close") return null;
  return new Set(connection.toLowerCase().split(",").map((option) => option.trim()));
}

/** The value to pass on, or null when the field would carry a key or our own session. */
function keptValue(name: string, value: string, credential: Credential | null): string | null {
  if (name === "authorization") return carriesKey(value, credential) ? null : value;
  if (name === "cookie") return withoutOurCookies(value);
  return value;
}

function carriesKey(authorization: string, credential: Credential | null): boolean {
  const user = basicUserName(authorization);
  return user !== null &&
    (credential?.method === "basic_auth_username" || isWellFormedApiKey(user));
}

const OUR_COOKIE = /^\s*(__Host-)?portico_/;

/** An admin's session on this host is no business of a backend's. */
function withoutOurCookies(cookie: string): string | null {
  if (!cookie.includes("portico_")) return cookie;
  const kept = cookie.split(";").filter((pair) => !OUR_COOKIE.test(pair));
  return kept.length === 0 ? null : kept.join(";").trim();
}

function forwardingHeaders(exchange: Exchange): [string, string][] {
  const { forwarding, scheme, authority, requestId } = exchange;
  const port = forwarding.port ?? /:(\d+)$/.exec(authority)?.[1] ??
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
