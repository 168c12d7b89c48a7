/** The parts of a host; the backend form compares names in the browser. */

/** `EXAMPLE.com:8080` as `example.com`; a trailing dot is dropped, brackets stay. */
export function hostName(authority: string): string {
  const colon = authority.endsWith("]") ? -1 : authority.lastIndexOf(":");
  const name = (colon === -1 ? authority : authority.slice(0, colon)).toLowerCase();
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

/** The port that a host names, in its digits; undefined when it names none. */
export function portOf(authority: string): string | undefined {
  return /:(\d+)$/.exec(authority)?.[1];
}
