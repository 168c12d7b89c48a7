/**
 * The paths that are Portico's own. They always win over backends, so that no
 * configuration can lock its operators out.
 */

const trees = ["/signup", "/admin", "/portico", "/_fresh"];

/** Whether a canonical path belongs to the homepage, the sign-up page or the admin. */
export function isOwnPath(path: string): boolean {
  return path === "/" ||
    trees.some((tree) =>
      path.startsWith(tree) && (path.length === tree.length || path[tree.length] === "/")
    );
}
