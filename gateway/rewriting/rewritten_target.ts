/**
 * What rewriting made of a target, as it may go out. Rewrites put together what admins
 * wrote and what callers sent, so the result has to be made canonical once more: what
 * is refused in a caller's path must not come about here either.
 */
import { BadRequest } from "../exchange/bad_request.ts";
import { canonicalPath, printable } from "../exchange/target.ts";

/**
 * In origin-form (RFC 9112 §3.2.1): it begins with `/`, so that it cannot name another
 * host, and what is not printable ASCII is percent-encoded, as is `#`.
 */
export function rewrittenTarget(target: string): string | BadRequest {
  const escaped = printable(target);
  const queryStart = escaped.indexOf("?");
  const rawPath = queryStart === -1 ? escaped : escaped.slice(0, queryStart);
  const path = canonicalPath(rawPath.startsWith("/") ? rawPath : `/${rawPath}`);
  if (path instanceof BadRequest) return new BadRequest(`As it is rewritten: ${path.reason}`);
  return queryStart === -1 ? path : path + escaped.slice(queryStart);
}
