/** The URLs under which a person at this machine reaches the server; for the ready line. */
import type { Address } from "./listeners.ts";

const WILDCARDS = new Set(["0.0.0.0", "::"]);

/** One URL a scheme and port; a wildcard address is shown as `localhost`. */
export function publicUrls(addresses: readonly Address[]): string[] {
  const urls = addresses.map(({ scheme, hostname, port }) => {
    const host = WILDCARDS.has(hostname) ? "localhost" : urlHost(hostname);
    const isUsual = port === (scheme === "https" ? 443 : 80);
    return `${scheme}://${host}${isUsual ? "" : `:${port}`}/`;
  });
  return [...new Set(urls)];
}

function urlHost(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}
