/**
 * The paths that are Portico's own. They always win over backends, so that no
 * configuration can lock its operators out. The homepage, `/`, is none of them: it is
 * Portico's at a host that has no website.
 */
import type { HostTable } from "../exchange/host_table.ts";
import type { Exchange } from "../exchange/exchange.ts";

const trees = ["/signup", "/admin", "/portico", "/_fresh"];

/** Whether a canonical path belongs to the sign-up page, the admin or what they are made of. */
export function isOwnPath(path: string): boolean {
  return trees.some((tree) =>
    path.startsWith(tree) && (path.length === tree.length || path[tree.length] === "/")
  );
}

/** Portico's pages win over all else, but for the homepage: a host's website has its own. */
export function isOwnPage(
  { host, path }: Pick<Exchange, "host" | "path">,
  websites: HostTable<unknown>,
): boolean {
  return path === "/" ? websites.find(host) === undefined : isOwnPath(path);
}
