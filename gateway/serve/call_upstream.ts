/**
 * Where a call meets its backend, or the cache in its place: what is sent, for whom, and
 * which calls the cache may answer.
 */
import { type CarriedCall, carryCached } from "../cache/cached_call.ts";
import { askedFor, cacheKey } from "../cache/key.ts";
import { type CacheableRequest, readConditions } from "../cache/request.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Admitted } from "../stages/pipeline.ts";
import type { UpstreamRequest } from "../upstream/request_head.ts";
import type { WebSocketHandshake } from "../upstream/websocket_handshake.ts";
import type { CallContext } from "./call_context.ts";

/** Carries the call. `onEnd` is called once, when its backend is done with it in whatever way. */
export function callUpstream(
  verdict: Admitted,
  context: CallContext,
  handshake: WebSocketHandshake | null,
  onEnd: () => void,
): CarriedCall {
  const { cache, exchange } = context;
  const { upstream, cacheSpace } = verdict.route.backend;
  const send = (headers: UpstreamRequest["headers"]) =>
    upstream.send({
      ...verdict.outgoing,
      headers,
      ...handshake?.request,
      body: exchange.body,
      bodyLength: exchange.bodyLength,
      clientAddress: exchange.address,
      timeouts: verdict.settings.timeouts,
      client: verdict.settings.clientBounds,
      clientSignal: () => context.request.signal,
    }, onEnd);
  if (cache === null || handshake !== null) return send(verdict.outgoing.headers);
  if (!SAFE.has(exchange.method)) {
    const call = send(verdict.outgoing.headers);
    call.answer.then(({ status }) => {
      if (status < 400) cache.invalidate(cacheKey(cacheSpace, exchange));
    }, () => {}); // whoever waits for the answer hears of its failing
    return call;
  }
  const request = cacheable(verdict, exchange);
  return request === null ? send(verdict.outgoing.headers) : carryCached(cache, request, send);
}

/** After the others, answers to the same URL are out of date if they went well (RFC 9111 §4.4). */
const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** The call as the cache sees it; null when its answer is its caller's alone. */
function cacheable(
  { settings, outgoing, route }: Admitted,
  exchange: Exchange,
): CacheableRequest | null {
  const { method, body, headers } = exchange;
  if (settings.caching === null || body !== null) return null;
  if (method !== "GET" && method !== "HEAD") return null;
  const conditions = readConditions(outgoing.headers, () => headers.get("authorization"));
  return conditions === null ? null : {
    method,
    key: cacheKey(route.backend.cacheSpace, exchange),
    target: askedFor(exchange, outgoing.target),
    headers: outgoing.headers,
    rules: settings.caching,
    conditions,
  };
}
