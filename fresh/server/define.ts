import type {
  HandlerFn,
  Middleware,
  PageProps,
  PageResponse,
  RouteComponent,
  RouteData,
  RouteHandler,
} from "./types.ts";

/** Typed frames for the exports of route files; each function returns its argument. */
export interface Define<State> {
  /** Handlers by method, or one for all. `ctx.state` has the app's type. */
  handlers<Handler extends RouteHandler<unknown, State>>(handler: Handler): Handler;
  /** A page. `define.page<typeof handler>(…)` types `props.data` by the handler. */
  page<Handler = HandlerFn<never, State>>(
    component: RouteComponent<RouteData<Handler>, State>,
  ): (props: PageProps<RouteData<Handler>, State>) => ReturnType<typeof component>;
  /** A layout, or the app wrapper: renders `<props.Component />` inside. */
  layout(
    component: RouteComponent<unknown, State>,
  ): (props: PageProps<unknown, State>) => ReturnType<typeof component>;
  /** One middleware, or a list that runs in order. */
  middleware<M extends Middleware<State> | Middleware<State>[]>(middleware: M): M;
}

/** `define` for an app whose `ctx.state` is a `State`. */
export function createDefine<State>(): Define<State> {
  return {
    handlers: (handler) => handler,
    page: (component) => component,
    layout: (component) => component,
    middleware: (middleware) => middleware,
  };
}

/** What a handler returns to have its page rendered with `data`. */
export function page(): PageResponse<undefined>;
export function page<Data>(
  data: Data,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<Data>;
export function page(
  data?: unknown,
  options?: { headers?: HeadersInit; status?: number },
): PageResponse<unknown> {
  return { data, ...options };
}
