/**
 * A published API as its callers see it: a name, the addresses it is called at,
 * and the line to call it with.
 */
import type { ApiKeyMethod } from "@/gateway/exchange/api_key.ts";
import type { Portico } from "@/gateway/portico.ts";
import type { BackendInput } from "@/gateway/records/backend.ts";

export interface PublishedApi {
  readonly name: string;
  /** Where calls come in, as full URLs; at least one. */
  readonly urls: readonly string[];
  readonly needsKey: boolean;
}

/** What is live here: the backends of the configuration file, and the published ones. */
export function liveApis({ config, publishing }: Portico, baseUrl: string): PublishedApi[] {
  return publishedApis([...config.apis, ...publishing.live?.backends ?? []], baseUrl);
}

/** The APIs by name. `baseUrl` is this server's, as the visitor sees it. */
export function publishedApis(
  backends: readonly Pick<BackendInput, "name" | "frontend_host" | "url_matches" | "settings">[],
  baseUrl: string,
): PublishedApi[] {
  return backends.map((backend) => ({
    name: backend.name,
    urls: backend.url_matches.map(({ frontend_prefix }) =>
      callUrl(baseUrl, backend.frontend_host, frontend_prefix)
    ),
    needsKey: backend.settings.disable_api_key !== true,
  })).sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** Scheme and port are this server's; so is the host, unless the backend has its own. */
export function callUrl(baseUrl: string, frontendHost: string, prefix: string): string {
  if (frontendHost === "*") return baseUrl + prefix;
  const { protocol, port } = new URL(baseUrl);
  // `*.example.com` stands for any name below, `.example.com` for itself too.
  const host = frontendHost.replace(/^\*\./, "any.").replace(/^\./, "");
  const ownPort = /:\d+$/.test(host) || port === "" ? "" : `:${port}`;
  return `${protocol}//${host}${ownPort}${prefix}`;
}

/** The line that calls `url` with `key`, ready for a shell. */
export function curlLine(url: string, key: string, method: ApiKeyMethod): string {
  switch (method) {
    case "header":
      return `curl -H ${shellWord(`X-Api-Key: ${key}`)} ${shellWord(url)}`;
    case "get_param":
      return `curl ${shellWord(`${url}?api_key=${key}`)}`;
    case "basic_auth_username":
      return `curl -u ${shellWord(`${key}:`)} ${shellWord(url)}`;
  }
}

/** Quoted so that a shell takes it for one word, whatever is in it. */
function shellWord(text: string): string {
  // Double quotes where they do, as cmd.exe knows no others.
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}
