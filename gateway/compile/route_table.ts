/**
 * Finds the route of a call: the longest frontend prefix among all backends whose
 * host matches. Equally long prefixes go to the backend that was created first,
 * whatever its host pattern, as in API Umbrella (§2.3).
 */
import { PrefixTree } from "./prefix_tree.ts";

/** What the table needs to know of a route. */
export interface Placed {
  readonly frontendPrefix: string;
  /** Ties go to the lower number. */
  readonly order: number;
}

export class RouteTable<R extends Placed> {
  readonly #exact = new Map<string, PrefixTree<R>>();
  /** `*.x` and `.x`, by `x`. */
  readonly #subdomains = new Map<string, PrefixTree<R>>();
  readonly #any = new PrefixTree<R>();
  #hasAny = false;

  /** Adds a route; call in ascending `order`. `hostPattern` is lower case, without a port. */
  add(hostPattern: string, route: R): void {
    const { frontendPrefix } = route;
    if (hostPattern === "*") {
      this.#hasAny = true;
      this.#any.add(frontendPrefix, route);
    } else if (hostPattern.startsWith("*.")) {
      treeOf(this.#subdomains, hostPattern.slice(2)).add(frontendPrefix, route);
    } else if (hostPattern.startsWith(".")) {
      treeOf(this.#subdomains, hostPattern.slice(1)).add(frontendPrefix, route);
      treeOf(this.#exact, hostPattern.slice(1)).add(frontendPrefix, route);
    } else {
      treeOf(this.#exact, hostPattern).add(frontendPrefix, route);
    }
  }

  /** The route for a host (lower case, no port) and a canonical path. */
  find(host: string, path: string): R | undefined {
    let best = this.#hasAny ? this.#any.longest(path) : undefined;
    best = better(best, this.#exact.get(host)?.longest(path));
    if (this.#subdomains.size === 0) return best;
    for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) {
      best = better(best, this.#subdomains.get(host.slice(dot + 1))?.longest(path));
    }
    return best;
  }
}

function treeOf<R>(trees: Map<string, PrefixTree<R>>, host: string): PrefixTree<R> {
  let tree = trees.get(host);
  if (tree === undefined) trees.set(host, tree = new PrefixTree<R>());
  return tree;
}

function better<R extends Placed>(a: R | undefined, b: R | undefined): R | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const longer = b.frontendPrefix.length - a.frontendPrefix.length;
  return longer > 0 || (longer === 0 && b.order < a.order) ? b : a;
}
