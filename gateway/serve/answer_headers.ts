/** The headers of a forwarded answer: the upstream's, then what the gateway adds. */
import type { Exchange } from "../exchange/exchange.ts";
import type { HeaderField, HeaderFields } from "../exchange/header_fields.ts";
import { setsOwnCookie } from "../exchange/own_cookies.ts";
import { withCors } from "../stages/cors.ts";
import type { Admitted } from "../stages/pipeline.ts";

/**
 * `isWhole` says that the body is there: the server then counts it, at a tenth of what
 * a header of ours costs.
 */
export function answerHeaders(
  upstream: readonly HeaderField[],
  verdict: Admitted,
  exchange: Exchange,
  isWhole = false,
): HeaderField[] {
  const { answers: { defaultHeaders, overrideHeaders, hidesServer }, cors } = verdict.settings;
  const theirs = cors === null ? upstream : withCors(upstream, cors, exchange);
  const ours: HeaderField[] = [["x-request-id", exchange.requestId]];
  for (const [name, value] of verdict.headers) ours.push([name, value]);
  for (const [name, value] of overrideHeaders) ours.push([name, value]);
  const headers = theirs.filter(([name, value]) =>
    !has(ours, name) && !(name === "set-cookie" && setsOwnCookie(value)) &&
    !(isWhole && name === "content-length") && !(hidesServer && name === "server")
  );
  const present = headers.length;
  for (const [name, value] of defaultHeaders) {
    if (!has(ours, name) && !has(headers, name, present)) headers.push([name, value]);
  }
  headers.push(...ours);
  return headers;
}

/**
 * Whether one of the first `count` is of that name; there are few, and
 * a set of them costs more.
 */
function has(headers: HeaderFields, wanted: string, count = headers.length): boolean {
  for (let at = 0; at < count; at++) if (headers[at]?.[0] === wanted) return true;
  return false;
}
