/** Puts what the gateway knows of a request where every route finds it; moves pages to HTTPS. */
import { define } from "@/define.ts";
import { readTheme } from "@/components/theme.ts";
import type { WebInfo } from "@/gateway/serve/web_app.ts";
import { securePage } from "./(_requests)/plain_http.ts";

export default define.middleware(async (ctx) => {
  // Fresh types `info` as Deno.serve's; the gateway is the only one that calls the app.
  const { portico, client } = ctx.info as WebInfo;
  ctx.state.portico = portico;
  ctx.state.client = client;
  ctx.state.theme = readTheme(ctx.req.headers);
  const secure = securePage(ctx.state, ctx.req, ctx.url);
  const response = secure === null
    ? await ctx.next()
    : new Response(null, { status: 302, headers: { location: secure } });
  // A page shows the theme of its visitor and what is published at this moment.
  if (!response.headers.has("cache-control")) {
    response.headers.set("cache-control", "private, no-cache");
  }
  return response;
});
