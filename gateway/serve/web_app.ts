/** The web app as the build left it in `_fresh/`. */
import type { WebHandler } from "./gateway.ts";

/** Imports the built app; throws an error that says how to build it. */
export async function loadWebApp(): Promise<WebHandler> {
  const server = new URL("../../_fresh/server.js", import.meta.url).href;
  try {
    const module: { readonly default: { readonly fetch: WebHandler } } = await import(server);
    return module.default.fetch;
  } catch (error) {
    throw new Error("the web pages are not built; run `deno task build`", { cause: error });
  }
}
