// The types an application is written against: routes, handlers, middlewares
// and the props of pages. `mod.ts` re-exports them.
import type { ComponentChildren, FunctionComponent } from "preact";
import type { Context } from "./context.ts";

export type Mode = "development" | "production";

/** What `new App(config)` takes. */
export interface FreshConfig {
  /** The path below which the app lives, such as `/docs`; default: the root. */
  basePath?: string;
  mode?: Mode;
  /** Believe `X-Forwarded-Proto` and `X-Forwarded-Host` for `ctx.url`; default false. */
  trustProxy?: boolean;
}

export interface ResolvedFreshConfig {
  readonly root: string;
  readonly basePath: string;
  readonly mode: Mode;
  readonly trustProxy: boolean;
}

/** `app.listen` takes all of `Deno.serve`'s TCP options. */
export type ListenOptions = Partial<Deno.ServeTcpOptions>;

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

export type Lazy<T> = () => Promise<T>;
export type MaybeLazy<T> = T | Lazy<T>;

/** Runs around everything below it: calls `ctx.next()`, or answers itself. */
export type Middleware<State> = (ctx: Context<State>) => Response | Promise<Response>;

/** What a handler gives a page, made by `page()`. */
export interface PageResponse<Data> {
  data: Data;
  headers?: HeadersInit;
  status?: number;
}

type HandlerResult<Data> = Response | PageResponse<Data>;

export type HandlerFn<Data, State> = (
  ctx: Context<State>,
) => HandlerResult<Data> | Promise<HandlerResult<Data>>;

export type HandlerByMethod<Data, State> = { [M in Method]?: HandlerFn<Data, State> };

export type RouteHandler<Data, State> = HandlerFn<Data, State> | HandlerByMethod<Data, State>;

type DataOf<Result> = Awaited<Result> extends infer R ? R extends PageResponse<infer D> ? D : never
  : never;

/** The type of `props.data` that a handler leads to: of all its methods together. */
export type RouteData<Handler> = Handler extends (...args: never[]) => infer R ? DataOf<R>
  : {
    [M in keyof Handler]: Handler[M] extends (...args: never[]) => infer R ? DataOf<R>
      : never;
  }[keyof Handler];

export interface PageProps<Data = unknown, State = unknown> {
  readonly data: Data;
  readonly url: URL;
  readonly req: Request;
  readonly params: Record<string, string>;
  readonly info: Deno.ServeHandlerInfo;
  readonly state: State;
  readonly config: ResolvedFreshConfig;
  readonly route: string | null;
  readonly error: unknown;
  readonly isPartial: boolean;
  /** In a layout and the app wrapper: what goes inside. */
  readonly Component: FunctionComponent;
}

/**
 * A page, layout or app wrapper. One that is declared `async` may wait, and may
 * not use hooks; either kind may return a `Response` instead of something to show.
 */
export type RouteComponent<Data, State> = (
  props: PageProps<Data, State>,
) => ComponentChildren | Response | Promise<ComponentChildren | Response>;

export interface LayoutConfig {
  /** Leave out the layouts of outer folders. */
  skipInheritedLayouts?: boolean;
  /** Leave out `_app`. */
  skipAppWrapper?: boolean;
}

export interface RouteConfig extends LayoutConfig {
  /** A URLPattern path to use instead of the one from the file's name. */
  routeOverride?: string;
}

/** A page: a component, a handler, or both. */
export interface Route<State> {
  component?: RouteComponent<never, State>;
  handler?: RouteHandler<unknown, State>;
  config?: RouteConfig;
}

/** A component of `islands/`, as the build found it. */
export interface Island {
  readonly name: string;
  readonly exportName: string;
  /** The bundle that exports it, a URL below the base path. */
  readonly url: string;
  /** The bundles `url` imports, to be fetched along with it. */
  readonly preload: readonly string[];
}
