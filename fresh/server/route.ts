// Running a page: its handler, then its component.
import type { Context } from "./context.ts";
import { renderComponent } from "./render.ts";
import { statusOf } from "./responses.ts";
import type { HandlerFn, Method, PageResponse, Route } from "./types.ts";

/** A handler for one method, that answers. */
export type Endpoint<State> = (ctx: Context<State>) => Promise<Response>;

/** The methods a page answers: each its own, or one for all. */
export type Endpoints<State> = Map<Method | "ALL", Endpoint<State>>;

/** What a page answers, by method. A component alone answers GET. */
export function endpointsOf<State>(route: Route<State>): Endpoints<State> {
  const endpoints: Endpoints<State> = new Map();
  const { handler } = route;
  if (typeof handler === "function") {
    endpoints.set("ALL", (ctx) => runHandler(ctx, route, handler));
  } else {
    for (const method of METHODS) {
      const byMethod = handler?.[method];
      if (byMethod) {
        endpoints.set(method, (ctx) => runHandler(ctx, route, byMethod));
      }
    }
    if (route.component && !endpoints.has("GET")) {
      endpoints.set("GET", (ctx) => runHandler(ctx, route, () => ({ data: {} })));
    }
  }
  return endpoints;
}

const METHODS: readonly Method[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

async function runHandler<State>(
  ctx: Context<State>,
  route: Route<State>,
  handler: HandlerFn<unknown, State>,
): Promise<Response> {
  const result = await handler(ctx);
  if (result instanceof Response) return result;
  if (!isPageResponse(result)) {
    throw new TypeError("A handler returns a Response or page(…), found " + typeof result);
  }
  if (!route.component) throw new TypeError("A handler returned page(…), but there is no page");
  ctx.data = result.data;
  return await renderComponent(ctx, route.component, result.data, {
    status: result.status ?? 200,
    ...(result.headers && { headers: result.headers }),
  }, route.config);
}

/** Runs an error page: its handler if it has one, else its component, with the error's status. */
export async function runErrorRoute<State>(
  ctx: Context<State>,
  route: Route<State>,
): Promise<Response> {
  const { handler, component } = route;
  const byMethod = typeof handler === "function" ? handler : handler?.GET;
  if (byMethod) return await runHandler(ctx, route, byMethod);
  if (!component) throw new TypeError("An error page needs a handler or a component");
  return await renderComponent(ctx, component, undefined, {
    status: statusOf(ctx.error),
  }, route.config);
}

function isPageResponse(value: unknown): value is PageResponse<unknown> {
  return typeof value === "object" && value !== null && "data" in value;
}
