/** Where a call meets its backend: what it is sent, and for whom. */
import type { Admitted } from "../stages/pipeline.ts";
import type { UpstreamCall } from "../upstream/call.ts";
import type { WebSocketHandshake } from "../upstream/websocket_handshake.ts";
import type { CallContext } from "./call_context.ts";

/** Sends the call. `onEnd` is called once, when it is over in whatever way. */
export function callUpstream(
  verdict: Admitted,
  { exchange, request }: CallContext,
  handshake: WebSocketHandshake | null,
  onEnd: () => void,
): UpstreamCall {
  return verdict.route.backend.upstream.send({
    ...verdict.outgoing,
    ...handshake?.request,
    body: exchange.body,
    bodyLength: exchange.bodyLength,
    clientAddress: exchange.address,
    timeouts: verdict.settings.timeouts,
    client: verdict.settings.clientBounds,
    clientSignal: () => request.signal,
  }, onEnd);
}
