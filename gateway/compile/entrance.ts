/** What the configuration says of the way that requests take to this server. */
import type { Configuration } from "../config/configuration.ts";
import { compileRanges, type Entrance } from "../exchange/client.ts";

export function compileEntrance(config: Configuration): Entrance {
  return {
    trustedProxies: compileRanges(config.router.trusted_proxies),
    takesForwardedHost: config.router.match_x_forwarded_host,
    seenAs: {
      http: {
        scheme: config.override_public_http_proto,
        port: digits(config.override_public_http_port),
      },
      https: {
        scheme: config.override_public_https_proto,
        port: digits(config.override_public_https_port),
      },
    },
  };
}

function digits(port: number | null): string | null {
  return port === null ? null : String(port);
}
