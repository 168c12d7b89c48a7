/** Beginning a session in the browser, for the pages that sign somebody in. */
import type { State } from "@/define.ts";
import * as browserSession from "@/gateway/admins/browser_session.ts";
import type { Admin } from "@/gateway/records/admin.ts";

/** Answers with a new session, and sends the browser on to `path`. */
export async function beginSession(
  { portico, client }: State,
  { headers }: Request,
  admin: Admin,
  path: string,
): Promise<Response> {
  const cookie = await browserSession.beginSession(portico.sessions, { headers, client }, admin);
  return new Response(null, { status: 303, headers: { location: path, "set-cookie": cookie } });
}
