/**
 * Who calls the API: the owner of the admin token, else of the session cookie. A
 * browser sends the cookie along with requests that other sites make it send, so
 * with a cookie it matters where the request comes from.
 */
import { crossOrigin, sameOrigin } from "../admins/same_origin.ts";
import { readSessionCookie } from "../admins/session_cookie.ts";
import type { ClientFacts } from "../exchange/client.ts";
import { Fault } from "../faults.ts";
import type { Admin } from "../records/admin.ts";
import type { ApiParts } from "./operation.ts";

/**
 * The signed-in admin. Throws a `Fault`: `NOT_SIGNED_IN`; `FORBIDDEN` for a request
 * with a session cookie that another site caused, or that writes and does not
 * provably come from a page of this server.
 */
export async function authenticate(
  { tokens, sessions }: Pick<ApiParts, "tokens" | "sessions">,
  request: Request,
  client: ClientFacts,
): Promise<Admin> {
  const token = bearerToken(request.headers);
  if (token !== null) {
    return await tokens.find(token) ?? notSignedIn("This admin token is not valid.");
  }

  const cookie = readSessionCookie(request.headers, client.scheme);
  if (cookie === null) return notSignedIn(WAY_IN);
  const reads = request.method === "GET" || request.method === "HEAD";
  const allowed = reads ? !crossOrigin(request, client) : sameOrigin(request, client);
  if (!allowed) throw fromElsewhere();
  return await sessions.find(cookie) ?? notSignedIn(WAY_IN);
}

/** Throws a `Fault` (403) for a request that another site caused. */
export function refuseCrossOrigin(request: Request, client: ClientFacts): void {
  if (crossOrigin(request, client)) throw fromElsewhere();
}

const WAY_IN = "Sign in, or send an admin token in the header Authorization: Bearer <token>.";

/** RFC 6750 §2.1. Credentials of another scheme are not for us, but for a proxy on the way. */
function bearerToken(headers: Headers): string | null {
  const [scheme = "", token = ""] = (headers.get("authorization") ?? "").split(/ +(.*)/);
  return scheme.toLowerCase() === "bearer" ? token : null;
}

function notSignedIn(message: string): never {
  throw new Fault("NOT_SIGNED_IN", message);
}

function fromElsewhere(): Fault {
  return new Fault(
    "FORBIDDEN",
    "With the session cookie, only pages of this server may do this. " +
      "Scripts and other sites use an admin token.",
  );
}
