// The application: what its code registers, and the function that answers
// requests with it.
import { HttpError } from "../runtime/http_error.ts";
import { Context } from "./context.ts";
import { addFileRoutes } from "./file_routes.ts";
import { defaultErrorResponse, withHeader, withoutBody } from "./responses.ts";
import { type AnyMiddleware, type ErrorRoute, RoutingTable, runChain } from "./routing_table.ts";
import { type Snapshot, snapshotOf } from "./snapshot.ts";
import type {
  FreshConfig,
  LayoutConfig,
  ListenOptions,
  MaybeLazy,
  Method,
  ResolvedFreshConfig,
  Route,
  RouteComponent,
  RouteConfig,
} from "./types.ts";

/** Answers a request; `info` reaches the app as `ctx.info`, unchanged. */
export type Handler = (req: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;

type Registration<State> = (
  table: RoutingTable<State>,
  base: string,
  snapshot: Snapshot | null,
) => void;

/**
 * A web application. Registrations apply top to bottom: a middleware, layout or
 * error page acts on the routes that come after it. A request that no route
 * answers runs the middlewares and error pages of the root alone, all of them.
 */
export class App<State = unknown> {
  readonly #config: ResolvedFreshConfig;
  readonly #registrations: Registration<State>[] = [];

  constructor(config: FreshConfig = {}) {
    this.#config = {
      root: Deno.cwd(),
      basePath: (config.basePath ?? "").replace(/\/+$/, ""),
      mode: config.mode ?? "production",
      trustProxy: config.trustProxy ?? false,
    };
  }

  /** The configuration in force, with what the build knows of it. */
  get config(): ResolvedFreshConfig {
    const snapshot = snapshotOf(this);
    return snapshot ? { ...this.#config, root: snapshot.root, mode: snapshot.mode } : this.#config;
  }

  /** Adds middlewares for everything, or for what is at and below a path. */
  use(...middlewares: AnyMiddleware<State>[]): this;
  use(path: string, ...middlewares: AnyMiddleware<State>[]): this;
  use(first: string | AnyMiddleware<State>, ...rest: AnyMiddleware<State>[]): this {
    const path = typeof first === "string" ? first : "";
    const middlewares = typeof first === "string" ? rest : [first, ...rest];
    return this.#register((table, base) => table.use(base + path, middlewares));
  }

  get(path: string, ...middlewares: AnyMiddleware<State>[]): this {
    return this.#handle("GET", path, middlewares);
  }

  post(path: string, ...middlewares: AnyMiddleware<State>[]): this {
    return this.#handle("POST", path, middlewares);
  }

  put(path: string, ...middlewares: AnyMiddleware<State>[]): this {
    return this.#handle("PUT", path, middlewares);
  }

  patch(path: string, ...middlewares: AnyMiddleware<State>[]): this {
    return this.#handle("PATCH", path, middlewares);
  }

  delete(path: string, ...middlewares: AnyMiddleware<State>[]): this {
    return this.#handle("DELETE", path, middlewares);
  }

  head(path: string, ...middlewares: AnyMiddleware<State>[]): this {
    return this.#handle("HEAD", path, middlewares);
  }

  /** Answers every method at a path that has no handler of its own. */
  all(path: string, ...middlewares: AnyMiddleware<State>[]): this {
    return this.#handle("ALL", path, middlewares);
  }

  /** Adds a page: a component, a handler, or both. */
  route(path: string, route: MaybeLazy<Route<State>>, config?: RouteConfig): this {
    return this.#register((table, base) => table.route(base + path, base + path, route, config));
  }

  /** Puts a component around the pages at and below a path. */
  layout(path: string, component: RouteComponent<unknown, State>, config?: LayoutConfig): this {
    return this.#register((table, base) => table.layout(base + path, component, config));
  }

  /** Puts a component around every page: the one with `<html>`. */
  appWrapper(component: RouteComponent<unknown, State>): this {
    return this.#register((table, base) => table.wrapper(base, component));
  }

  /** Answers what is thrown at and below a path. */
  onError(path: string, route: ErrorRoute<State>): this {
    return this.#register((table, base) => table.onError(base + path, route));
  }

  /** Answers what does not exist, wherever below. An app that is mounted leaves this to the outer one. */
  notFound(route: ErrorRoute<State>): this {
    return this.#register((table, base) => {
      if (base === "") table.notFound(route);
    });
  }

  /** Inserts the routes of `routes/` here. */
  fsRoutes(pattern = "*"): this {
    return this.#register((table, base, snapshot) => {
      if (!snapshot) {
        throw new Error(
          "app.fsRoutes() needs a build: run the build, or apply a Builder's snapshot",
        );
      }
      addFileRoutes(table, snapshot.routes, base + pattern.replace(/\/?\*$/, ""));
    });
  }

  /** Copies the registrations of another app to below `path`. */
  mountApp(path: string, app: App<State>): this {
    return this.#register((table, base, snapshot) => {
      for (const register of app.#registrations) {
        register(table, (base + path).replace(/\/+$/, ""), snapshot);
      }
    });
  }

  /** The function for `Deno.serve`, and for tests. Later registrations do not change it. */
  handler(): Handler {
    const config = this.config;
    const snapshot = snapshotOf(this);
    const table = new RoutingTable<State>();
    for (const register of this.#registrations) register(table, "", snapshot);
    const notFound = table.refusal(new HttpError(404));

    return async (req, info = NO_CONNECTION) => {
      const url = requestUrl(req, config.trustProxy);
      if (url === null) return new Response("Bad Request", { status: 400 });
      const pathname = withoutBase(url.pathname, config.basePath);
      const { chain, params, route, allow } = pathname === null
        ? { chain: notFound, ...NO_ROUTE }
        : await findChain(table, notFound, req.method, pathname);
      const ctx = new Context<State>({ req, url, params, route, info, config, snapshot });
      const response = await runChain(ctx, chain)
        .catch((error: unknown) => defaultErrorResponse(error, config, snapshot));
      const answer = req.method === "HEAD" ? await withoutBody(response) : response;
      return allow === null ? answer : withHeader(answer, "allow", allow);
    };
  }

  /** Serves the app by itself; without a port, on the first free one from 8000 to 8019. */
  async listen(options: ListenOptions = {}): Promise<void> {
    const handler = this.handler();
    const ports = options.port === undefined
      ? Array.from({ length: 20 }, (_, index) => 8000 + index)
      : [options.port];
    for (const port of ports) {
      try {
        return await Deno.serve({ ...options, port }, handler).finished;
      } catch (error) {
        if (!(error instanceof Deno.errors.AddrInUse) || port === ports.at(-1)) throw error;
      }
    }
  }

  #handle(method: Method | "ALL", path: string, middlewares: AnyMiddleware<State>[]): this {
    return this.#register((table, base) => table.handle(method, base + path, middlewares));
  }

  #register(registration: Registration<State>): this {
    this.#registrations.push(registration);
    return this;
  }
}

/** For requests that a test makes, which come over no connection. */
const NO_CONNECTION: Deno.ServeHandlerInfo = {
  remoteAddr: { transport: "tcp", hostname: "localhost", port: 0 },
  completed: Promise.resolve(),
};

/** What a request is to run, and what it has matched. */
interface Plan<State> {
  readonly chain: readonly AnyMiddleware<State>[];
  readonly params: Record<string, string>;
  readonly route: string | null;
  /** For a method that the route does not answer: those that it does. */
  readonly allow: string | null;
}

const NO_ROUTE = { params: {}, route: null, allow: null };

async function findChain<State>(
  table: RoutingTable<State>,
  notFound: readonly AnyMiddleware<State>[],
  method: string,
  pathname: string,
): Promise<Plan<State>> {
  let match;
  try {
    match = table.router.match(pathname);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return { chain: table.refusal(new HttpError(400)), ...NO_ROUTE };
  }
  if (!match) return { chain: notFound, ...NO_ROUTE };

  const { entry, params } = match;
  const route = entry.pattern;
  try {
    await entry.load();
  } catch (error) {
    return { chain: table.refusal(error), params, route, allow: null };
  }
  const chain = entry.find(method);
  if (chain) return { chain, params, route, allow: null };
  const refused = method === "OPTIONS"
    ? [() => new Response(null, { status: 204 })]
    : table.refusal(new HttpError(405));
  return { chain: refused, params, route, allow: entry.allowed.join(", ") };
}

/** The request's URL with runs of slashes made one, or null for one that is no URL. */
function requestUrl(req: Request, trustProxy: boolean): URL | null {
  const url = URL.parse(req.url);
  if (url === null) return null;
  url.pathname = url.pathname.replace(/\/{2,}/g, "/");
  if (trustProxy) {
    // Of several proxies, the first in the list is the one the client spoke to.
    const forwarded = (name: string) =>
      req.headers.get(`x-forwarded-${name}`)?.split(",")[0]?.trim();
    url.protocol = forwarded("proto") ?? url.protocol;
    url.host = forwarded("host") ?? url.host;
  }
  return url;
}

function withoutBase(pathname: string, basePath: string): string | null {
  if (basePath === "") return pathname;
  if (pathname === basePath) return "/";
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : null;
}
