/**
 * The cookie that carries a session: how it is written and how it is read back.
 *
 * Over HTTPS its name has the `__Host-` prefix (RFC 6265bis §4.1.3.2): browsers
 * then take it only from this very host, over HTTPS, for all paths, so neither a
 * sibling host nor somebody on the network can plant one.
 */
type Scheme = "http" | "https";

const NAME = "portico_session";

export function sessionCookieName(scheme: Scheme): string {
  return scheme === "https" ? `__Host-${NAME}` : NAME;
}

function attributes(scheme: Scheme): string {
  return `Path=/; HttpOnly; SameSite=Lax${scheme === "https" ? "; Secure" : ""}`;
}

/** The `Set-Cookie` value that begins a session; it ends with the browser, or at the server. */
export function sessionCookie(value: string, scheme: Scheme): string {
  return `${sessionCookieName(scheme)}=${value}; ${attributes(scheme)}`;
}

/** The `Set-Cookie` value that removes the cookie from the browser. */
export function clearedSessionCookie(scheme: Scheme): string {
  return `${sessionCookieName(scheme)}=; ${attributes(scheme)}; Max-Age=0`;
}

/**
 * The session in a request's `Cookie` header; null when there is none. Two of them
 * count as none: one was planted, and nothing tells which.
 */
export function readSessionCookie(headers: Headers, scheme: Scheme): string | null {
  const prefix = `${sessionCookieName(scheme)}=`;
  // Repeated Cookie headers arrive joined with commas, which no session value contains.
  const values = (headers.get("cookie") ?? "").split(/[;,]/)
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
    .map((pair) => pair.slice(prefix.length));
  return values.length === 1 ? values[0] ?? null : null;
}
