/** Signing out: the session ends on the server, the cookie in the browser. */
import { define } from "@/define.ts";
import { endSession } from "@/gateway/admins/browser_session.ts";
import { refuseCrossOrigin } from "../(_requests)/cross_origin.ts";

export const handler = define.handlers({
  async POST(ctx) {
    refuseCrossOrigin(ctx.state, ctx.req, "/admin/");
    const { portico, client } = ctx.state;
    const cookie = await endSession(portico.sessions, { headers: ctx.req.headers, client });
    return new Response(null, {
      status: 303,
      headers: { location: "/admin/login", "set-cookie": cookie },
    });
  },
});
