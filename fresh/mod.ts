// `fresh`: what the server side of an application imports.
export { App } from "./server/app.ts";
export type { Context, Context as FreshContext } from "./server/context.ts";
export { csp, type CSPOptions } from "./server/csp.ts";
export { csrf, type CsrfOptions } from "./server/csrf.ts";
export { createDefine, type Define, page } from "./server/define.ts";
export { staticFiles } from "./server/static_files.ts";
export type {
  FreshConfig,
  HandlerByMethod,
  HandlerFn,
  Island,
  LayoutConfig,
  Lazy,
  ListenOptions,
  MaybeLazy,
  Method,
  Middleware,
  Middleware as MiddlewareFn,
  PageProps,
  PageResponse,
  ResolvedFreshConfig,
  Route,
  RouteConfig,
  RouteData,
  RouteHandler,
} from "./server/types.ts";
export { HttpError } from "./runtime/http_error.ts";
