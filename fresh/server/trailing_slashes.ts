import type { Middleware } from "./types.ts";

/** Redirects to the one form of each URL: with a slash at its end, or without. */
export function trailingSlashes<State>(
  mode: "always" | "never",
): Middleware<State> {
  return (ctx) => {
    const { pathname, search } = ctx.url;
    const isFile = /\.[^/]+$/.test(pathname);
    if (
      pathname === "/" || isFile ||
      pathname.endsWith("/") === (mode === "always")
    ) {
      return ctx.next();
    }
    const target = mode === "always"
      ? `${pathname}/`
      : pathname.replace(/\/+$/, "");
    return Promise.resolve(ctx.redirect(target + search));
  };
}
