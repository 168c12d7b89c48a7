// What an app has registered, as the tree of its paths: which middlewares,
// layouts and error pages stand around a route. Registrations act on what comes
// after them, so the surroundings of a route are fixed when it is added.
import { HttpError } from "../runtime/http_error.ts";
import type { Context } from "./context.ts";
import { type Frame, internals, type Layout } from "./context_internals.ts";
import { statusOf } from "./responses.ts";
import { endpointsOf, runErrorRoute } from "./route.ts";
import { Router } from "./router.ts";
import type {
  LayoutConfig,
  MaybeLazy,
  Method,
  Middleware,
  Route,
  RouteComponent,
  RouteConfig,
} from "./types.ts";

/** An error page: a page, or a middleware that answers. */
export type ErrorRoute<State> = Route<State> | Middleware<State>;

export type AnyMiddleware<State> = MaybeLazy<Middleware<State>>;

/** A part of the tree: a folder, or a step of a path. */
class Segment<State> {
  readonly children = new Map<string, Segment<State>>();
  readonly middlewares: AnyMiddleware<State>[] = [];
  layout: Layout<State> | null = null;
  errorRoute: ErrorRoute<State> | null = null;
  wrapper: RouteComponent<never, State> | null = null;

  constructor(readonly parent: Segment<State> | null) {}

  /** From the root to this segment. */
  get lineage(): Segment<State>[] {
    return [...(this.parent?.lineage ?? []), this];
  }

  get frame(): Frame<State> {
    let wrapper: RouteComponent<never, State> | null = null;
    let layouts: Layout<State>[] = [];
    for (const segment of this.lineage) {
      wrapper = segment.wrapper ?? wrapper;
      if (!segment.layout) continue;
      const { skipInheritedLayouts, skipAppWrapper } = segment.layout.config;
      layouts = skipInheritedLayouts ? [segment.layout] : [...layouts, segment.layout];
      if (skipAppWrapper) wrapper = null;
    }
    return { wrapper, layouts };
  }
}

export class RoutingTable<State> {
  readonly router = new Router<State>();
  readonly #root = new Segment<State>(null);
  #notFound: ErrorRoute<State> | null = null;

  use(path: string, middlewares: readonly AnyMiddleware<State>[]): void {
    this.#segment(path).middlewares.push(...middlewares);
  }

  layout(path: string, component: RouteComponent<never, State>, config: LayoutConfig = {}): void {
    this.#segment(path).layout = { component, config };
  }

  wrapper(path: string, component: RouteComponent<never, State>): void {
    this.#segment(path).wrapper = component;
  }

  onError(path: string, route: ErrorRoute<State>): void {
    this.#segment(path).errorRoute = route;
  }

  notFound(route: ErrorRoute<State>): void {
    this.#notFound = route;
  }

  handle(method: Method | "ALL", path: string, middlewares: readonly AnyMiddleware<State>[]): void {
    const chain = this.#around(this.#segment(path));
    this.router.add(path).handlers.set(method, [...chain, ...middlewares]);
  }

  /**
   * Adds a page.
   * @param path the folder path whose middlewares and layouts apply, groups included
   * @param pattern the URL it answers
   */
  route(path: string, pattern: string, route: MaybeLazy<Route<State>>, config?: RouteConfig): void {
    const chain = this.#around(this.#segment(path));
    const entry = this.router.add(pattern);
    const addEndpoints = (page: Route<State>) => {
      const merged = config ? { ...page, config: { ...page.config, ...config } } : page;
      for (const [method, endpoint] of endpointsOf(merged)) {
        entry.handlers.set(method, [...chain, endpoint]);
      }
    };
    if (typeof route === "function") {
      entry.loadLater(async () => addEndpoints(await route()));
    } else addEndpoints(route);
  }

  /** The middlewares for a request that no route answers, ending in `error`. */
  refusal(error: unknown): AnyMiddleware<State>[] {
    return [...this.#around(this.#root), () => Promise.reject(error)];
  }

  #segment(path: string): Segment<State> {
    let segment = this.#root;
    for (const name of path.split("/")) {
      if (name === "" || name === "*") continue;
      let child = segment.children.get(name);
      if (!child) segment.children.set(name, child = new Segment(segment));
      segment = child;
    }
    return segment;
  }

  /**
   * Everything around a route of `target`. A segment's error page stands both inside its
   * middlewares, which then see the page it makes, and outside, for what they throw themselves.
   */
  #around(target: Segment<State>): AnyMiddleware<State>[] {
    const frame = target.frame;
    const chain: AnyMiddleware<State>[] = [];
    for (const segment of target.lineage) {
      const boundary = this.#boundary(segment);
      if (segment.middlewares.length > 0) {
        chain.push(boundary, ...segment.middlewares);
      }
      chain.push(boundary);
    }
    return [
      ...chain,
      (ctx) => {
        ctx[internals].frame = frame;
        return ctx.next();
      },
    ];
  }

  #boundary(segment: Segment<State>): Middleware<State> {
    const { errorRoute, frame } = segment;
    const isRoot = segment.parent === null;
    return async (ctx) => {
      try {
        return await ctx.next();
      } catch (thrown) {
        let error = thrown;
        if (statusOf(error) === 404 && this.#notFound) {
          // There is one page for what does not exist, and it is the root's.
          if (!isRoot) throw error;
          try {
            return await this.#answerError(ctx, error, this.#notFound, frame);
          } catch (failure) {
            error = failure;
          }
        }
        if (!errorRoute) throw error;
        return await this.#answerError(ctx, error, errorRoute, frame);
      }
    };
  }

  async #answerError(
    ctx: Context<State>,
    error: unknown,
    route: ErrorRoute<State>,
    frame: Frame<State>,
  ): Promise<Response> {
    // A page that failed must not be asked to show its own failure.
    if (failedRoutes.get(ctx)?.has(route)) throw error;
    ctx.error = error;
    ctx[internals].frame = frame;
    try {
      return await (typeof route === "function" ? route(ctx) : runErrorRoute(ctx, route));
    } catch (failure) {
      failedRoutes.set(ctx, (failedRoutes.get(ctx) ?? new Set()).add(route));
      throw failure;
    }
  }
}

/** The error pages that threw, by request. */
const failedRoutes = new WeakMap<object, Set<unknown>>();

/** Runs `chain`, outermost first; each calls `ctx.next()` for what is below it. */
export async function runChain<State>(
  ctx: Context<State>,
  chain: readonly AnyMiddleware<State>[],
): Promise<Response> {
  const dispatch = async (index: number): Promise<Response> => {
    const middleware = chain[index];
    if (!middleware) throw new HttpError(404);
    const outerNext = ctx.next;
    ctx.next = () => dispatch(index + 1);
    try {
      let result = await middleware(ctx);
      if (typeof result === "function") result = await result(ctx);
      if (!(result instanceof Response)) {
        throw new TypeError(`A middleware or handler must return a Response, found ${result}`);
      }
      return result;
    } finally {
      ctx.next = outerNext;
    }
  };
  return await dispatch(0);
}
