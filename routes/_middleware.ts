/** Puts what the gateway knows of a request where every route finds it. */
import { define } from "@/define.ts";
import { readTheme } from "@/components/theme.ts";
import type { ClientFacts } from "@/gateway/exchange/client.ts";
import type { Portico } from "@/gateway/portico.ts";

/** What the gateway hands the web app along with a request. */
interface GatewayInfo extends Deno.ServeHandlerInfo {
  readonly portico: Portico;
  readonly client: ClientFacts;
}

export default define.middleware((ctx) => {
  // Fresh types `info` as Deno.serve's; the gateway is the only one that calls the app.
  const { portico, client } = ctx.info as GatewayInfo;
  ctx.state.portico = portico;
  ctx.state.client = client;
  ctx.state.theme = readTheme(ctx.req.headers);
  return ctx.next();
});
