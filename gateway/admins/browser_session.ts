/**
 * The session that a browser is in, begun and ended: in the store and in its cookie.
 * Pages and REST API sign in and out by these.
 */
import type { ClientFacts } from "../exchange/client.ts";
import type { Admin } from "../records/admin.ts";
import { clearedSessionCookie, readSessionCookie, sessionCookie } from "./session_cookie.ts";
import type { Sessions } from "./sessions.ts";

/** A request of the browser: its headers, and whether it came over HTTPS. */
interface BrowserRequest {
  readonly headers: Headers;
  readonly client: Pick<ClientFacts, "scheme">;
}

/**
 * Begins a session of `admin`, never going on with the one that was there before:
 * somebody else may know its cookie. Gives the `Set-Cookie` value.
 */
export async function beginSession(
  sessions: Sessions,
  request: BrowserRequest,
  admin: Admin,
): Promise<string> {
  await closeSession(sessions, request);
  return sessionCookie(await sessions.open(admin), request.client.scheme);
}

/** Ends the session, if there is one. Gives the `Set-Cookie` value that removes the cookie. */
export async function endSession(sessions: Sessions, request: BrowserRequest): Promise<string> {
  await closeSession(sessions, request);
  return clearedSessionCookie(request.client.scheme);
}

async function closeSession(
  sessions: Sessions,
  { headers, client }: BrowserRequest,
): Promise<void> {
  const cookie = readSessionCookie(headers, client.scheme);
  if (cookie !== null) await sessions.close(cookie);
}
