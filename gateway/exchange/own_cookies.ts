/**
 * The gateway's own cookies. Backends share its host, and so a browser's cookies: an
 * admin's session must not reach them, and they must not plant one.
 */
const OWN_COOKIE = /^\s*(?:__Host-)?portico_/;

/** A cookie without a name comes back as its value alone, which may look like one of ours. */
const PLANTED = /^[\s=]*(?:__Host-)?portico_/;

/** A `Cookie` field without them; null when nothing is left. */
export function withoutOwnCookies(cookie: string): string | null {
  if (!cookie.includes("portico_")) return cookie;
  const kept = cookie.split(";").filter((pair) => !OWN_COOKIE.test(pair));
  return kept.length === 0 ? null : kept.join(";").replace(/^[ \t]+/, "");
}

/** Whether a `Set-Cookie` field sets one of them. */
export function setsOwnCookie(setCookie: string): boolean {
  return PLANTED.test(setCookie);
}
