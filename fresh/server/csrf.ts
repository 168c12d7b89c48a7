import { HttpError } from "../runtime/http_error.ts";
import type { Context } from "./context.ts";
import type { Middleware } from "./types.ts";

export interface CsrfOptions<State> {
  /** The origins that may send forms here, or a function that decides; default: this site's. */
  origin?:
    | string
    | string[]
    | ((origin: string, ctx: Context<State>) => boolean);
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses, with 403, requests that change something and come from another site. A request
 * with neither `Sec-Fetch-Site` nor `Origin` passes: no browser sends one, so it carries no
 * cookies that its sender does not know. Cookies should be `SameSite` all the same.
 */
export function csrf<State>(options: CsrfOptions<State> = {}): Middleware<State> {
  return async (ctx) => {
    const { headers, method } = ctx.req;
    const site = headers.get("sec-fetch-site");
    const origin = headers.get("origin");
    const passes = SAFE_METHODS.has(method) ||
      site === "same-origin" || site === "none" ||
      (origin !== null && isAllowed(origin, ctx, options.origin)) ||
      (site === null && origin === null);
    if (!passes) throw new HttpError(403);
    return await ctx.next();
  };
}

function isAllowed<State>(
  origin: string,
  ctx: Context<State>,
  allowed: CsrfOptions<State>["origin"] = ctx.url.origin,
): boolean {
  if (typeof allowed === "function") return allowed(origin, ctx);
  return typeof allowed === "string" ? allowed === origin : allowed.includes(origin);
}
