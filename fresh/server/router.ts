// From a method and a path to the handlers that answer it.
import type { AnyMiddleware } from "./routing_table.ts";
import type { Method } from "./types.ts";

/** The handlers at one path, by method. */
export class RouteEntry<State> {
  readonly handlers = new Map<
    Method | "ALL",
    readonly AnyMiddleware<State>[]
  >();
  #pending: (() => Promise<void>)[] = [];

  constructor(readonly pattern: string) {}

  /** Puts off finding the handlers until the first hit. */
  loadLater(load: () => Promise<void>): void {
    this.#pending.push(load);
  }

  /** Finds the handlers that were put off. One that cannot be loaded is tried again next time. */
  async load(): Promise<void> {
    for (const load of this.#pending) await load();
    this.#pending = [];
  }

  /** What answers `method`: HEAD falls back to GET, and any method to a handler for all. */
  find(method: string): readonly AnyMiddleware<State>[] | null {
    return this.handlers.get(method as Method) ??
      (method === "HEAD" ? this.handlers.get("GET") : undefined) ??
      this.handlers.get("ALL") ?? null;
  }

  /** The methods it answers, for `Allow`. */
  get allowed(): string[] {
    const methods = new Set<string>(this.handlers.keys());
    if (methods.has("GET")) methods.add("HEAD");
    return [...methods.add("OPTIONS")];
  }
}

export interface RouteMatch<State> {
  readonly entry: RouteEntry<State>;
  readonly params: Record<string, string>;
}

export class Router<State> {
  readonly #exact = new Map<string, RouteEntry<State>>();
  readonly #patterns = new Map<
    string,
    { pattern: URLPattern; entry: RouteEntry<State> }
  >();

  /** The entry at `path`, made if it is the first registration there. */
  add(path: string): RouteEntry<State> {
    const key = withoutTrailingSlash(path.startsWith("/") ? path : `/${path}`);
    if (!/[*:{}+?()]/.test(key)) {
      const entry = this.#exact.get(key) ?? new RouteEntry(key);
      this.#exact.set(key, entry);
      return entry;
    }
    const known = this.#patterns.get(key);
    if (known) return known.entry;
    const entry = new RouteEntry<State>(key);
    this.#patterns.set(key, { pattern: new URLPattern({ pathname: key }), entry });
    return entry;
  }

  /**
   * The route of a path: an exact one before patterns, patterns in the order they came.
   * @throws URIError when a parameter is not percent-encoded text
   */
  match(pathname: string): RouteMatch<State> | null {
    const path = withoutTrailingSlash(pathname);
    const exact = this.#exact.get(path);
    if (exact) return { entry: exact, params: {} };
    for (const { pattern, entry } of this.#patterns.values()) {
      const groups = pattern.exec({ pathname: path })?.pathname.groups;
      if (groups) return { entry, params: decodeParams(groups) };
    }
    return null;
  }
}

function decodeParams(groups: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => [name, decodeURI(value ?? "")]),
  );
}

function withoutTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}
