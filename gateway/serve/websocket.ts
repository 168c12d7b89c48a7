/**
 * A call that becomes a WebSocket: the upstream has agreed, so the client is told, and
 * the two are joined. The call is over when the WebSocket has ended.
 */
import type { Admitted } from "../stages/pipeline.ts";
import type { UpstreamCall, UpstreamResponse } from "../upstream/call.ts";
import { ProtocolError, UpstreamFault } from "../upstream/faults.ts";
import type { Tunnel } from "../upstream/tunnel.ts";
import type { WebSocketHandshake } from "../upstream/websocket_handshake.ts";
import { answerHeaders } from "./answer_headers.ts";
import { type CallContext, warnOfUpstream } from "./call_context.ts";
import { WebSocketRelay } from "./websocket_relay.ts";

/**
 * Seconds until a client that gives no sign of life is given up. It is asked for one after
 * half of them, which also keeps proxies from cutting a silent connection after a minute.
 */
const CLIENT_IDLE_SECONDS = 100;

/** A call that the upstream has answered with 101. */
export interface SwitchedCall {
  readonly call: Pick<UpstreamCall, "server">;
  readonly handshake: WebSocketHandshake;
  readonly answer: UpstreamResponse;
  readonly tunnel: Tunnel;
}

/**
 * Joins the client with the upstream; the answer switches the client's connection.
 *
 * @throws {UpstreamFault} when the upstream has agreed to something that nobody asked for
 */
export function openWebSocket(
  { call, handshake, answer, tunnel }: SwitchedCall,
  verdict: Admitted,
  context: CallContext,
): Response {
  const { exchange, webSockets } = context;
  try {
    const fields = answerHeaders(handshake.agreed(answer.headers), verdict, exchange);
    const { socket, response } = Deno.upgradeWebSocket(context.request, {
      idleTimeout: CLIENT_IDLE_SECONDS,
    });
    for (const [name, value] of fields) response.headers.append(name, value);
    const relay: WebSocketRelay = new WebSocketRelay({
      client: socket,
      clientStall: verdict.settings.clientBounds.answerStall,
      tunnel,
      onEnd: (end, error) => {
        webSockets.delete(relay);
        if (error !== null) warnOfUpstream(error, verdict, context);
        context.ended(exchange, verdict, {
          status: response.status,
          requestBytes: relay.requestBytes,
          responseBytes: relay.responseBytes,
          responseHeaders: fields,
          server: call.server,
          detail: `websocket_${end}`,
        });
      },
    });
    webSockets.add(relay);
    return response;
  } catch (error) {
    tunnel.close();
    if (!(error instanceof ProtocolError)) throw error;
    const message = `sent an answer that ${error.message}`;
    throw new UpstreamFault("invalid_response", call.server, message, error);
  }
}
