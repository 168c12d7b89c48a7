/**
 * The paths that are Portico's own. They always win over backends, so that no
 * configuration can lock its operators out. The homepage, `/`, is none of them: it is
 * Portico's at a host that has no website.
 */
import type { CompiledConfiguration } from "../compile/configuration.ts";
import type { Exchange } from "../exchange/exchange.ts";

/**
 * What the pages are made of, and the health check: at every host, as
 * refusals look like the pages.
 */
const everywhere = ["/portico", "/_fresh"];

const trees = ["/signup", "/admin", ...everywhere];

/** Whether a canonical path belongs to the sign-up page, the admin or what they are made of. */
export function isOwnPath(path: string): boolean {
  return isBelow(trees, path);
}

function isBelow(trees: readonly string[], path: string): boolean {
  return trees.some((tree) =>
    path.startsWith(tree) && (path.length === tree.length || path[tree.length] === "/")
  );
}

/**
 * Portico's pages win over all else at the hosts that have them, but for the homepage: a
 * host's website has its own.
 */
export function isOwnPage(
  { host, path }: Pick<Exchange, "host" | "path">,
  { websites, hasPages }: Pick<CompiledConfiguration, "websites" | "hasPages">,
): boolean {
  if (path === "/") return websites.find(host) === undefined && hasPages(host);
  return isOwnPath(path) && (hasPages(host) || isBelow(everywhere, path));
}
