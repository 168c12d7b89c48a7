/** Signing out: the session ends on the server, the cookie in the browser. */
import { define } from "@/define.ts";
import { clearedSessionCookie, readSessionCookie } from "@/gateway/admins/session_cookie.ts";
import { refuseCrossOrigin } from "../(_requests)/cross_origin.ts";

export const handler = define.handlers({
  async POST(ctx) {
    refuseCrossOrigin(ctx.state, ctx.req, "/admin/");
    const { portico, client } = ctx.state;
    const cookie = readSessionCookie(ctx.req.headers, client.scheme);
    if (cookie !== null) await portico.sessions.close(cookie);
    return new Response(null, {
      status: 303,
      headers: {
        location: "/admin/login",
        "set-cookie": clearedSessionCookie(client.scheme),
      },
    });
  },
});
