/** The headers of a forwarded answer: the upstream's, then what the gateway adds. */
import type { Exchange } from "../exchange/exchange.ts";
import { setsOwnCookie } from "../exchange/own_cookies.ts";
import type { Admitted } from "../stages/pipeline.ts";

type Pair = [name: string, value: string];

export function answerHeaders(upstream: Pair[], verdict: Admitted, exchange: Exchange): Pair[] {
  const { defaultResponseHeaders, overrideResponseHeaders } = verdict.route.backend.settings;
  const ours: Pair[] = [["x-request-id", exchange.requestId]];
  for (const [name, value] of verdict.headers) ours.push([name, value]);
  for (const { key, value } of overrideResponseHeaders) ours.push([key.toLowerCase(), value]);
  const replaced = new Set(ours.map(([name]) => name));
  const headers = upstream.filter(([name, value]) =>
    !replaced.has(name) && !(name === "set-cookie" && setsOwnCookie(value))
  );
  const present = new Set(headers.map(([name]) => name));
  for (const { key, value } of defaultResponseHeaders) {
    const name = key.toLowerCase();
    if (!present.has(name) && !replaced.has(name)) headers.push([name, value]);
  }
  headers.push(...ours);
  return headers;
}
