/**
 * Finds the route of a call: the longest frontend prefix among all backends whose
 * host matches. Equally long prefixes go to the backend that was created first,
 * whatever its host pattern, as in API Umbrella (§2.3).
 */
import { PrefixTree } from "./prefix_tree.ts";

/** What the table needs to know of a route. */
export interface Placed {
  readonly frontendPrefix: string;
  /** Whether a path must be the prefix and no more. */
  readonly exactMatch?: boolean;
  /** Ties go to the lower number. */
  readonly order: number;
}

/** The routes of one host pattern. */
class HostRoutes<R extends Placed> {
  readonly #prefixes = new PrefixTree<R>();
  readonly #paths = new Map<string, R>();

  add(route: R): void {
    const { frontendPrefix, exactMatch = false } = route;
    if (!exactMatch) this.#prefixes.add(frontendPrefix, route);
    else if (!this.#paths.has(frontendPrefix)) this.#paths.set(frontendPrefix, route);
  }

  find(path: string): R | undefined {
    const longest = this.#prefixes.longest(path);
    return this.#paths.size === 0 ? longest : better(longest, this.#paths.get(path));
  }
}

export class RouteTable<R extends Placed> {
  readonly #exact = new Map<string, HostRoutes<R>>();
  /** `*.x` and `.x`, by `x`. */
  readonly #subdomains = new Map<string, HostRoutes<R>>();
  readonly #any = new HostRoutes<R>();
  #hasAny = false;

  /** Adds a route; call in ascending `order`. `hostPattern` is lower case, without a port. */
  add(hostPattern: string, route: R): void {
    if (hostPattern === "*") {
      this.#hasAny = true;
      this.#any.add(route);
    } else if (hostPattern.startsWith("*.")) {
      routesAt(this.#subdomains, hostPattern.slice(2)).add(route);
    } else if (hostPattern.startsWith(".")) {
      routesAt(this.#subdomains, hostPattern.slice(1)).add(route);
      routesAt(this.#exact, hostPattern.slice(1)).add(route);
    } else {
      routesAt(this.#exact, hostPattern).add(route);
    }
  }

  /** The route for a host (lower case, no port) and a canonical path. */
  find(host: string, path: string): R | undefined {
    let best = this.#hasAny ? this.#any.find(path) : undefined;
    best = better(best, this.#exact.get(host)?.find(path));
    if (this.#subdomains.size === 0) return best;
    for (let dot = host.indexOf("."); dot !== -1; dot = host.indexOf(".", dot + 1)) {
      best = better(best, this.#subdomains.get(host.slice(dot + 1))?.find(path));
    }
    return best;
  }
}

function routesAt<R extends Placed>(
  hosts: Map<string, HostRoutes<R>>,
  host: string,
): HostRoutes<R> {
  let routes = hosts.get(host);
  if (routes === undefined) hosts.set(host, routes = new HostRoutes<R>());
  return routes;
}

function better<R extends Placed>(a: R | undefined, b: R | undefined): R | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const longer = b.frontendPrefix.length - a.frontendPrefix.length;
  return longer > 0 || (longer === 0 && b.order < a.order) ? b : a;
}
