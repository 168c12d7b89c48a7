/**
 * The caller's fields that go on to the backend: not those that concern its connection,
 * not its key, not the gateway's own cookies, and nothing that could pass for what only
 * the gateway may say.
 */
import { basicUserName, type Credential, withoutApiKeyInUrl } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HeaderField } from "../exchange/header_fields.ts";
import { withoutOwnCookies } from "../exchange/own_cookies.ts";
import { isWellFormedApiKey } from "../keys/api_key.ts";
import { takesGzip } from "./accept_encoding.ts";
import { isGatewayField, isKeyField } from "./gateway_fields.ts";

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

/** Adds them to `outgoing`. */
export function passFields(
  { headers, fields }: Exchange,
  credential: Credential | null,
  outgoing: HeaderField[],
): void {
  const named = connectionOptions(headers.get("connection"));
  for (const [name, value] of fields) {
    if (HOP_BY_HOP.has(name) || isGatewayField(name) || named?.has(name)) continue;
    const kept = keptValue(name, value, credential);
    if (kept !== null) outgoing.push([name, kept]);
  }
}

/** Names a `Connection` field lists; they end here (RFC 9110 §7.6.1). */
function connectionOptions(connection: string | null): ReadonlySet<string> | null {
  if (connection === null || connection === "keep-alive" || connection === "close") return null;
  return new Set(connection.toLowerCase().split(",").map((option) => option.trim()));
}

/** The value to pass on, or null when the field would carry a key or our own session. */
function keptValue(name: string, value: string, credential: Credential | null): string | null {
  switch (name) {
    case "accept-encoding":
      return takesGzip(value) ? "gzip" : null;
    case "authorization":
      return carriesKey(value, credential) ? null : value;
    case "cookie":
      return withoutOwnCookies(value);
    case "referer":
      // A page that was called with its key in the URL has its browser repeat it here.
      return withoutApiKeyInUrl(value);
    default:
      return isKeyField(name) ? null : value;
  }
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
