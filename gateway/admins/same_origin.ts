/**
 * Whether a request comes from a page of this very server. A browser sends the
 * session cookie along with requests that another site made it send; what it says
 * about where a request comes from is what tells them apart.
 */
import type { ClientFacts } from "../exchange/client.ts";

/** `unknown`: no browser of our time is silent about it, scripts and `curl` are. */
type RequestOrigin = "same" | "other" | "unknown";

function requestOrigin(request: Request, client: ClientFacts): RequestOrigin {
  // Sec-Fetch-Site cannot be set by a page. "none": typed or bookmarked by the user.
  const site = request.headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin" || site === "none" ? "same" : "other";
  // Browsers leave it out towards plain HTTP, but send Origin with every POST.
  const origin = request.headers.get("origin");
  if (origin === null) return "unknown";
  const own = [originOf(`${client.scheme}://${client.host}`), originOf(client.baseUrl)];
  return own.includes(originOf(origin) ?? origin) ? "same" : "other";
}

function originOf(url: string): string | undefined {
  const origin = URL.canParse(url) ? new URL(url).origin : "null";
  return origin === "null" ? undefined : origin;
}

/**
 * True when the request provably comes from a page of this server. Every write
 * that is authorized by a session cookie must be.
 */
export function sameOrigin(request: Request, client: ClientFacts): boolean {
  return requestOrigin(request, client) === "same";
}

/**
 * True when the request provably comes from another site's page. Signing in and
 * out must not be: a visitor would find himself in somebody else's account.
 */
export function crossOrigin(request: Request, client: ClientFacts): boolean {
  return requestOrigin(request, client) === "other";
}
