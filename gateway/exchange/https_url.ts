/** Where this server is reached over HTTPS: for links, and for callers who came without. */
import type { Configuration } from "../config/configuration.ts";

/** What the configuration says about it. */
export type HttpsPlace = Pick<Configuration, "base_url" | "https_port">;

/**
 * For this server's own pages, without a trailing slash.
 * @param host that the visitor asked for, without a port
 */
export function httpsBaseUrl({ base_url, https_port }: HttpsPlace, host: string): string {
  if (base_url?.startsWith("https:")) return base_url;
  return `https://${host}${portSuffix(https_port)}`;
}

/**
 * For calls, without a trailing slash: they stay at the host they were made to, as the
 * host decides which backend they are for.
 * @param host without a port
 */
export function httpsCallBaseUrl({ base_url, https_port }: HttpsPlace, host: string): string {
  // The port of a proxy in front of this server, if there is one, stands in the base URL.
  return base_url?.startsWith("https:")
    ? `https://${host}${portSuffix(Number(new URL(base_url).port))}`
    : `https://${host}${portSuffix(https_port)}`;
}

/** Nothing for the usual port, which a URL's parser gives as 0, and for none. */
function portSuffix(port: number | null): string {
  return port === null || port === 0 || port === 443 ? "" : `:${port}`;
}
