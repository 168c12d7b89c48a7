/**
 * Where to send somebody after a form: only ever to a page of this server. What
 * comes from outside (`return_to`) is read here before it becomes a `Location`.
 */

// Browsers read `\` as `/`, drop tabs and line breaks, and take `//host` for another server.
// deno-lint-ignore no-control-regex -- control characters are what is refused
const LOCAL_PATH = /^\/(?![/\\])[^\\\x00-\x20\x7f]*$/;

/** `value` if it is a path of this server at or below `within`, else `within` itself. */
export function localPath(value: unknown, within = "/"): string {
  if (typeof value !== "string" || !LOCAL_PATH.test(value)) return within;
  const { pathname } = new URL(value, "http://here.invalid");
  return pathname.startsWith(within) ? value : within;
}
