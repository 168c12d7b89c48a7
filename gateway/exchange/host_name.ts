/** The name in a host, as hosts are compared; the backend form compares them in the browser. */

/** `EXAMPLE.com:8080` as `example.com`; a trailing dot is dropped, brackets stay. */
export function hostName(authority: string): string {
  const colon = authority.endsWith("]") ? -1 : authority.lastIndexOf(":");
  const name = (colon === -1 ? authority : authority.slice(0, colon)).toLowerCase();
  return name.endsWith(".") ? name.slice(0, -1) : name;
}
