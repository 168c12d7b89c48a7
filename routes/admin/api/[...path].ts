/** The admin REST API; all of it is in `gateway/api/`. */
import { define } from "@/define.ts";
import { handleApi } from "@/gateway/api/handle_api.ts";

export const handler = define.handlers((ctx) =>
  handleApi(ctx.state.portico, ctx.req, ctx.state.client)
);
