/** The links that answers and pages carry: where this server is, as its callers see it. */
import type { Configuration } from "../config/configuration.ts";
import { withoutApiKey } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { httpsCallBaseUrl } from "../exchange/https_url.ts";
import type { RefusalLinks } from "../refusal/refusals.ts";

/** Scheme and host for links to this server, without a trailing slash. */
export function baseUrl(config: Configuration, exchange: Exchange): string {
  return config.base_url ?? `${exchange.scheme}://${exchange.authority}`;
}

export function refusalLinks(config: Configuration, exchange: Exchange): RefusalLinks {
  const base = baseUrl(config, exchange);
  return {
    base_url: base,
    home_url: `${base}/`,
    signup_url: `${base}/signup/`,
    contact_url: config.contact_url === "" ? `${base}/` : config.contact_url,
    contact_page: config.contact_url === "" ? null : config.contact_url,
    https_url: httpsUrl(config, exchange),
  };
}

/** The call's own URL over HTTPS, without its key. */
function httpsUrl(config: Configuration, exchange: Exchange): string {
  const query = withoutApiKey(exchange.query);
  const target = query === null ? exchange.path : `${exchange.path}?${query}`;
  return httpsCallBaseUrl(config, exchange.host) + target;
}
