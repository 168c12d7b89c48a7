/** Beginning a session in the browser, for the pages that sign somebody in. */
import type { State } from "@/define.ts";
import { readSessionCookie, sessionCookie } from "@/gateway/admins/session_cookie.ts";
import type { Admin } from "@/gateway/records/admin.ts";

/** Answers with a new session, never with the one that was there before; then on to `path`. */
export async function beginSession(
  { portico, client }: State,
  request: Request,
  admin: Admin,
  path: string,
): Promise<Response> {
  const earlier = readSessionCookie(request.headers, client.scheme);
  if (earlier !== null) await portico.sessions.close(earlier);
  const cookie = sessionCookie(await portico.sessions.open(admin), client.scheme);
  return new Response(null, { status: 303, headers: { location: path, "set-cookie": cookie } });
}
