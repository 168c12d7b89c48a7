/**
 * Where there is HTTPS, passwords and keys do not travel in clear: the pages that
 * take or show them move there. The REST API is left alone, as its clients follow no
 * redirect with a body, and so is whoever is at the machine itself.
 */
import type { State } from "@/define.ts";
import { hostName } from "@/gateway/exchange/host_name.ts";
import { Fault } from "@/gateway/faults.ts";
import { httpsBaseUrl } from "@/gateway/exchange/https_url.ts";

/** The admin and the sign-up page, but not the REST API. */
const SECURED = /^\/(signup|admin(?!\/api(\/|$)))(\/|$)/;

/** The URL over HTTPS that a page asked for over plain HTTP is to be opened at; null: stay. */
export function securePage(state: State, request: Request, url: URL): string | null {
  const isRead = request.method === "GET" || request.method === "HEAD";
  if (!isRead || !SECURED.test(url.pathname)) return null;
  const base = secureBase(state);
  return base === null ? null : base + url.pathname + url.search;
}

/**
 * Throws a `Fault` `BAD_REQUEST` when a form was sent over plain HTTP although there is HTTPS.
 * @param path of the page that has the form
 */
export function refusePlainHttp(state: State, path: string): void {
  const base = secureBase(state);
  if (base === null) return;
  throw new Fault("BAD_REQUEST", `Forms must be sent over HTTPS. Open ${base}${path} instead.`);
}

/** Null where the request may go on as it came. */
function secureBase({ portico: { config }, client }: State): string | null {
  if (config.https_port === null || client.scheme === "https" || client.direct) return null;
  return httpsBaseUrl(config, hostName(client.host));
}
