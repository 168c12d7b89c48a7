/** Where callers reach this server, over the scheme that they or a backend speak of. */
import type { Exchange } from "./exchange.ts";
import { portOf, USUAL_PORTS } from "./host_name.ts";
import { httpsCallBaseUrl, type HttpsPlace } from "./https_url.ts";

/**
 * Scheme, host and port without a trailing slash: those that the caller used. Who came
 * over plain HTTP is sent to HTTPS where `scheme` says so and this server has it; nobody
 * is ever sent the other way.
 *
 * @param host without a port
 */
export function publicOrigin(
  place: HttpsPlace,
  { scheme: used, authority, forwarding }: Pick<Exchange, "scheme" | "authority" | "forwarding">,
  scheme: "http" | "https",
  host: string,
): string {
  const hasHttps = place.https_port !== null || place.base_url?.startsWith("https:") === true;
  if (scheme !== used && scheme === "https" && hasHttps) return httpsCallBaseUrl(place, host);
  const port = forwarding.port ?? portOf(authority) ?? USUAL_PORTS[used];
  return `${used}://${host}${port === USUAL_PORTS[used] ? "" : `:${port}`}`;
}
