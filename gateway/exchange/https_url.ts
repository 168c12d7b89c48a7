/** Where this server is reached over HTTPS: for links, and for callers who came without. */

/** What the configuration says about it. */
export interface HttpsPlace {
  readonly base_url: string | null;
  readonly https_port: number | null;
  readonly override_public_https_port: number | null;
}

/**
 * For this server's own pages, without a trailing slash.
 * @param host that the visitor asked for, without a port
 */
export function httpsBaseUrl(place: HttpsPlace, host: string): string {
  if (place.base_url?.startsWith("https:")) return place.base_url;
  return `https://${host}${portSuffix(publicPort(place))}`;
}

/**
 * For calls, without a trailing slash: they stay at the host they were made to, as the
 * host decides which backend they are for.
 * @param host without a port
 */
export function httpsCallBaseUrl(place: HttpsPlace, host: string): string {
  const { base_url } = place;
  // The port of a proxy in front of this server, if there is one, stands in the base URL.
  return base_url?.startsWith("https:")
    ? `https://${host}${portSuffix(Number(new URL(base_url).port))}`
    : `https://${host}${portSuffix(publicPort(place))}`;
}

/** The port that callers see. */
function publicPort({ https_port, override_public_https_port }: HttpsPlace): number | null {
  return override_public_https_port ?? https_port;
}

/** Nothing for the usual port, which a URL's parser gives as 0, and for none. */
function portSuffix(port: number | null): string {
  return port === null || port === 0 || port === 443 ? "" : `:${port}`;
}
