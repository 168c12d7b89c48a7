/** What is behind the login: lets in whoever has a session, sends everybody else to get one. */
import type { Context } from "fresh";
import { type AdminState, defineAdmin } from "@/define.ts";
import { sameOrigin } from "@/gateway/admins/same_origin.ts";
import { readSessionCookie } from "@/gateway/admins/session_cookie.ts";
import { Fault } from "@/gateway/faults.ts";
import type { Admin } from "@/gateway/records/admin.ts";

export default defineAdmin.middleware(async (ctx) => {
  const admin = await signedIn(ctx);
  if (admin === null) return wayIn(ctx);
  refuseForeignWrite(ctx);
  ctx.state.admin = admin;
  ctx.state.changes = await ctx.state.portico.publishing.changes();
  return await ctx.next();
});

async function signedIn({ req, state }: Context<AdminState>): Promise<Admin | null> {
  const cookie = readSessionCookie(req.headers, state.client.scheme);
  return cookie === null ? null : await state.portico.sessions.find(cookie);
}

/** To the login, and from there back to this page; on a new server to the first account. */
function wayIn(ctx: Context<AdminState>): Response {
  if (ctx.state.portico.accounts.needsSetup) return ctx.redirect("/admin/setup", 303);
  const returnTo = isRead(ctx.req) ? ctx.url.pathname + ctx.url.search : "/admin/";
  if (returnTo === "/admin/") return ctx.redirect("/admin/login", 303);
  return ctx.redirect(`/admin/login?${new URLSearchParams({ return_to: returnTo })}`, 303);
}

/** The cookie comes along with what another site made the browser send; its word does not. */
function refuseForeignWrite({ req, state }: Context<AdminState>): void {
  if (isRead(req) || sameOrigin(req, state.client)) return;
  throw new Fault(
    "FORBIDDEN",
    "This form was not sent by a page of this server, so nothing was changed.",
  );
}

function isRead(request: Request): boolean {
  return request.method === "GET" || request.method === "HEAD";
}
