/**
 * Fields that only the gateway may say to a backend: who calls, from where and for
 * what. A caller's are dropped in every spelling.
 */

/**
 * Besides these, whatever begins with `X-Forwarded-` or, as backends that were behind
 * API Umbrella may still believe it, with `X-Api-Umbrella-`. The two last ones name
 * another path, which some frameworks serve in place of the one that was decided on.
 */
const OURS = new Set([
  "x-api-roles",
  "x-api-user-id",
  "x-real-ip",
  "x-request-id",
  "x-original-url",
  "x-rewrite-url",
]);

const PLAIN_NAME = /^[a-z0-9-]+$/;

/**
 * As some server would read a field's name (in lower case): CGI-like ones fold every mark
 * into one, so `X_Api_User_Id` and `X~Api~User~Id` would be a forged identity.
 */
export function folded(name: string): string {
  return PLAIN_NAME.test(name) ? name : name.replace(/[^a-z0-9]/g, "-");
}

/** Whether a field is one of ours as some server would read it. `name`: in lower case. */
export function isGatewayField(name: string): boolean {
  const read = folded(name);
  // To programs run by CGI a caller's Proxy is the HTTP_PROXY by which they send what they send.
  if (!read.startsWith("x-")) return read === "forwarded" || read === "proxy";
  return read.startsWith("x-forwarded-") || read.startsWith("x-api-umbrella-") || OURS.has(read);
}

/** Whether a field is the one that API keys come in, as some server would read it. */
export function isKeyField(name: string): boolean {
  return folded(name) === "x-api-key";
}
