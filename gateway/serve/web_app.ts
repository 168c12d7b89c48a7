/** The web app as a build left it. */
import type { ClientFacts } from "../exchange/client.ts";
import type { Portico } from "../portico.ts";

/** What the web app gets besides the request; it reaches pages as `ctx.info`. */
export interface WebInfo extends Deno.ServeHandlerInfo<Deno.NetAddr> {
  readonly portico: Portico;
  readonly client: ClientFacts;
}

export type WebHandler = (request: Request, info: WebInfo) => Response | Promise<Response>;

/**
 * Imports the app built into a folder of the project; throws an error
 * that says how to build it.
 */
export async function loadWebApp(folder: string): Promise<WebHandler> {
  const server = new URL(`../../${folder}/server.js`, import.meta.url).href;
  try {
    const module: { readonly default: { readonly fetch: WebHandler } } = await import(server);
    return module.default.fetch;
  } catch (error) {
    throw new Error("the web pages are not built; run `deno task build`", { cause: error });
  }
}
