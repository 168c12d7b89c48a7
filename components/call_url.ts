/** The URL that an API is called at; the backend form computes it in the browser, too. */

/** Scheme and port are this server's; so is the host, unless the backend has its own. */
export function callUrl(baseUrl: string, frontendHost: string, prefix: string): string {
  if (frontendHost === "*") return baseUrl + prefix;
  const { protocol, port } = new URL(baseUrl);
  // `*.example.com` stands for any name below, `.example.com` for itself too.
  const host = frontendHost.replace(/^\*\./, "any.").replace(/^\./, "");
  const ownPort = /:\d+$/.test(host) || port === "" ? "" : `:${port}`;
  return `${protocol}//${host}${ownPort}${prefix}`;
}
