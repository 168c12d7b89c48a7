/**
 * A published API as its callers see it: a name, the addresses it is called at,
 * and the line to call it with.
 */
import {
  compileHttpsRules,
  type HttpsConfiguration,
  isHttpsForNewcomers,
  isKeyRequired,
} from "@/gateway/compile/access.ts";
import { Layers, type StoredSettings } from "@/gateway/compile/layers.ts";
import type { ApiKeyMethod } from "@/gateway/exchange/api_key.ts";
import type { Portico } from "@/gateway/portico.ts";
import type { BackendInput } from "@/gateway/records/backend.ts";
import { httpsBaseUrl } from "@/gateway/exchange/https_url.ts";
import { ownPagesAt } from "./backends/unreached.ts";
import { callUrl } from "./call_url.ts";

export interface PublishedApi {
  readonly name: string;
  /** Where calls come in, as full URLs; at least one. */
  readonly urls: readonly string[];
  readonly needsKey: boolean;
}

/** What is live here: the backends of the configuration file, and the published ones. */
export function liveApis({ config, publishing }: Portico, baseUrl: string): PublishedApi[] {
  return publishedApis([...config.apis, ...publishing.live?.backends ?? []], config, baseUrl);
}

/**
 * The APIs by name, without the addresses that Portico has itself. `baseUrl` is this
 * server's, as the visitor sees it; where an API takes new callers over HTTPS alone, its
 * URLs are those over HTTPS.
 */
export function publishedApis(
  backends: readonly (
    & Pick<BackendInput, "name" | "frontend_host" | "url_matches">
    & { readonly settings: StoredSettings }
  )[],
  config:
    & HttpsConfiguration
    & { readonly default_api_backend_settings: StoredSettings },
  baseUrl: string,
): PublishedApi[] {
  const defaults = config.default_api_backend_settings;
  const secureUrl = baseUrl.startsWith("https:")
    ? baseUrl
    : httpsBaseUrl(config, new URL(baseUrl).hostname);
  const https = compileHttpsRules(config);
  return backends.map(({ name, frontend_host, url_matches, settings }) => {
    const layers = new Layers(defaults, settings);
    const baseOf = (path: string) => isHttpsForNewcomers(layers, https, path) ? secureUrl : baseUrl;
    return {
      name,
      urls: url_matches
        .filter(({ frontend_prefix }) => ownPagesAt(frontend_prefix) === null)
        .map(({ frontend_prefix }) =>
          callUrl(baseOf(frontend_prefix), frontend_host, frontend_prefix)
        ),
      needsKey: isKeyRequired(layers),
    };
  }).filter(({ urls }) => urls.length > 0).sort((a, b) => a.name.localeCompare(b.name, "en"));
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
