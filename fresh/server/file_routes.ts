// From files in `routes/` to registrations: what a file's name says, in which
// order files count, and what a module may export.
import type { RoutingTable } from "./routing_table.ts";
import type { FileRoute } from "./snapshot.ts";
import type { LayoutConfig, Middleware, Route, RouteComponent, RouteConfig } from "./types.ts";

type Special = "_app" | "_middleware" | "_layout" | "_error" | "_404";

/** What a file's name says of it. */
export interface FileRole {
  readonly kind: Special | "page";
  /** The URL pattern of a page, or of the folder that a `_` file stands for. */
  readonly pattern: string;
  /** The path in the tree of middlewares and layouts: as the pattern, with groups in it. */
  readonly scope: string;
}

const SPECIAL: Record<string, Special> = {
  _app: "_app",
  _middleware: "_middleware",
  _layout: "_layout",
  _error: "_error",
  _500: "_error",
  _404: "_404",
};

/**
 * Reads a file's name.
 * @param file path below `routes/`, with its extension
 * @throws Error when the name is none that a route can have
 */
export function roleOf(file: string): FileRole {
  const parts = file.replace(/\.[^./]+$/, "").split("/");
  const name = parts.pop() ?? "";
  const special = SPECIAL[name];
  if (!special && name !== "index") parts.push(name);
  const scope = joinPath(parts.map((part) => isGroup(part) ? part : partPattern(part, file)));
  const pattern = joinPath(
    parts.filter((part) => !isGroup(part)).map((part) => partPattern(part, file)),
  );
  if ((special === "_app" || special === "_404") && parts.length > 0) {
    throw new Error(`routes/${file}: ${special} belongs into routes/ itself`);
  }
  return { kind: special ?? "page", pattern: pattern || "/", scope };
}

function isGroup(part: string): boolean {
  return part.startsWith("(") && part.endsWith(")");
}

/** The URLPattern of one part of a path. */
function partPattern(part: string, file: string): string {
  const optional = /^\[\[([^[\]]+)\]\]$/.exec(part);
  if (optional) return `{:${optional[1]}}?`;
  if (part.includes("[[")) {
    throw new Error(`routes/${file}: an optional parameter is a whole part of the path`);
  }
  const rest = /^\[\.\.\.([^[\]]+)\]$/.exec(part);
  if (rest) return `:${rest[1]}*`;
  if (part.includes("][")) {
    throw new Error(`routes/${file}: two parameters need something between them`);
  }
  return part.replace(/\[([^[\]]+)\]/g, ":$1");
}

function joinPath(parts: readonly string[]): string {
  const path = parts.map((part) => `/${part}`).join("");
  // The slash before an optional part is as optional, unless it is all there is.
  return parts.length > 1 ? path.replace(/\/\{:/g, "{/:") : path;
}

/**
 * Orders files as they are to be registered: in a folder `_` files first, since they act on
 * what comes after, and names that match more after those that match less.
 */
export function compareFiles(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let depth = 0; depth < Math.max(left.length, right.length); depth++) {
    const x = left[depth] ?? "";
    const y = right[depth] ?? "";
    if (x === y) continue;
    return rank(x) - rank(y) || (x < y ? -1 : 1);
  }
  return 0;
}

function rank(part: string): number {
  const name = part.replace(/\.[^.]+$/, "");
  const special = SPECIAL[name];
  if (special) return ["_app", "_middleware", "_layout", "_404", "_error"].indexOf(special);
  if (name === "index") return 5;
  if (name.startsWith("[...")) return 9;
  if (name.startsWith("[[")) return 8;
  if (name.includes("[")) return 7;
  return isGroup(name) ? 6 : 5.5;
}

/** Registers the files of `routes/` below `base`. */
export function addFileRoutes<State>(
  table: RoutingTable<State>,
  files: readonly FileRoute[],
  base: string,
): void {
  for (const { file, module, lazy } of files.toSorted((a, b) => compareFiles(a.file, b.file))) {
    const { kind, pattern, scope } = roleOf(file);
    if (kind === "page") {
      const read = () => readModule<State>(module, file);
      const route = lazy ? async () => readModule<State>(await load(module), file) : read();
      const override = typeof route === "function" ? undefined : route.config?.routeOverride;
      table.route(base + scope, base + (override ?? pattern), route);
    } else addSpecial(table, kind, base + scope, module, file);
  }
}

function load(module: unknown): unknown {
  if (typeof module !== "function") throw new TypeError("A lazy route is a function");
  return module();
}

function addSpecial<State>(
  table: RoutingTable<State>,
  kind: Special,
  scope: string,
  module: unknown,
  file: string,
): void {
  if (kind === "_middleware") return table.use(scope, middlewaresOf(module, file));
  const route = readModule<State>(module, file);
  if (kind === "_error") return table.onError(scope, route);
  if (kind === "_404") return table.notFound(route);
  if (!route.component) throw new Error(`routes/${file}: export a component as default`);
  if (kind === "_app") return table.wrapper(scope, route.component);
  const { config } = route;
  table.layout(scope, route.component, config);
}

/** The exports of a route module, which only the app's author can have typed. */
interface RouteModule<State> {
  default?: RouteComponent<never, State>;
  handler?: Route<State>["handler"];
  handlers?: Route<State>["handler"];
  config?: RouteConfig & LayoutConfig;
}

function readModule<State>(module: unknown, file: string): Route<State> {
  const exports = module as RouteModule<State>;
  const handler = exports.handler ?? exports.handlers;
  if (!exports.default && !handler && !exports.config) {
    throw new Error(
      `routes/${file}: no relevant exports; a route exports default or handler`,
    );
  }
  if (typeof handler === "function" && handler.length > 1) {
    throw new Error(`routes/${file}: a handler takes one argument, the context`);
  }
  return {
    ...(exports.default && { component: exports.default }),
    ...(handler && { handler }),
    ...(exports.config && { config: exports.config }),
  };
}

function middlewaresOf<State>(module: unknown, file: string): Middleware<State>[] {
  const exports = module as {
    default?: unknown;
    handler?: unknown;
    handlers?: unknown;
  };
  const exported = exports.default ?? exports.handler ?? exports.handlers;
  const list: unknown[] = Array.isArray(exported) ? exported : [exported];
  if (!list.every((item): item is Middleware<State> => typeof item === "function")) {
    throw new Error(`routes/${file}: a middleware is a function or a list of functions`);
  }
  return list;
}
