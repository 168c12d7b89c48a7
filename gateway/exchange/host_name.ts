/** The parts of a host; the backend form compares names in the browser. */

/** `EXAMPLE.com:8080` as `example.com`; a trailing dot is dropped, brackets stay. */
export function hostName(authority: string): string {
  const colon = authority.endsWith("]") ? -1 : authority.lastIndexOf(":");
  const name = (colon === -1 ? authority : authority.slice(0, colon)).toLowerCase();
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** The port of a scheme where nobody names one. */
export const USUAL_PORTS = { http: "80", https: "443" } as const;

/** The port that a host names, in its digits; undefined when it names none. */
export function portOf(authority: string): string | undefined {
  return /:(\d+)$/.exec(authority)?.[1];
}

/** uri-host [":" port], RFC 9110 §7.2; underscores occur in real host names. */
const AUTHORITY = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*)|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Whether a text is what a Host header may be: a host, and perhaps a port. */
export function isAuthority(text: string): boolean {
  return AUTHORITY.test(text);
}
