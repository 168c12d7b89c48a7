/**
 * Carries out a verdict: forwards an admitted call and answers with what comes
 * back, or answers a refused one; either way the call ends up in the log once.
 */
import type { Configuration } from "../config/configuration.ts";
import type { BodyFault } from "../exchange/body_reader.ts";
import { bodyRefusal } from "../exchange/client_bounds.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Collector } from "../logs/collector.ts";
import type { Logger } from "../process/logger.ts";
import { Refusal, type RefusalCode } from "../refusal/refusals.ts";
import { renderRefusal } from "../refusal/render.ts";
import type { Admitted, Verdict } from "../stages/pipeline.ts";
import type { UpstreamCall, UpstreamResponse } from "../upstream/call.ts";
import { UpstreamFault, type UpstreamFaultKind } from "../upstream/faults.ts";
import { WebSocketHandshake } from "../upstream/websocket_handshake.ts";
import { refusalLinks } from "./links.ts";
import { logEntry } from "./log_entry.ts";
import { answerHeaders } from "./answer_headers.ts";
import { openWebSocket } from "./websocket.ts";
import type { OpenWebSockets } from "./websockets.ts";

export interface CallContext {
  readonly exchange: Exchange;
  /** As it came. Its signal aborts when the client has gone away. */
  readonly request: Request;
  readonly callLog: Pick<Collector, "record">;
  readonly log: Logger;
  readonly config: Configuration;
  readonly webSockets: OpenWebSockets;
}

/** Answers the call; throws nothing but what is a defect. */
export function carryOut(verdict: Verdict, context: CallContext): Response | Promise<Response> {
  return verdict.refusal === null
    ? forward(verdict, context)
    : answerRefusal(verdict, verdict.refusal, context);
}

async function forward(verdict: Admitted, context: CallContext): Promise<Response> {
  const { exchange } = context;
  const handshake = exchange.asksForWebSocket
    ? new WebSocketHandshake(verdict.outgoing.headers)
    : null;
  let ended = () => {};
  const call = verdict.route.backend.upstream.send({
    ...verdict.outgoing,
    ...handshake?.request,
    body: exchange.body,
    bodyLength: exchange.bodyLength,
    clientAddress: exchange.address,
    client: verdict.route.backend.clientBounds,
  }, () => ended());
  const leave = () => call.cancel();
  const signal = context.request.signal;
  signal.addEventListener("abort", leave, { once: true });
  try {
    const answer = await call.answer;
    const { tunnel } = answer;
    if (handshake !== null && tunnel !== undefined) {
      return openWebSocket({ call, handshake, answer, tunnel }, verdict, context);
    }
    const response = respond(answer, verdict, exchange);
    const record = () => recordAnswer(call, response, verdict, context);
    if (call.outcome === "running") ended = record;
    else record();
    return response;
  } catch (fault) {
    if (!(fault instanceof UpstreamFault)) throw fault;
    return answerFault(fault, call, verdict, context);
  }
}

function respond(answer: UpstreamResponse, verdict: Admitted, exchange: Exchange): Response {
  return new Response(bodyFor(answer, exchange), {
    status: answer.status,
    headers: answerHeaders(answer.headers, verdict, exchange),
  });
}

/** Statuses whose answers never have a body (Fetch, null body status). */
const BODYLESS = new Set([204, 205, 304]);

/** With a null body the server would add `Content-Length: 0` to a HEAD answer that has none. */
function bodyFor({ status, body, headers }: UpstreamResponse, exchange: Exchange) {
  if (BODYLESS.has(status)) {
    if (body instanceof ReadableStream) body.cancel(); // a 205 that has one all the same
    return null;
  }
  const isLengthUnknown = exchange.method === "HEAD" &&
    !headers.some(([name]) => name === "content-length");
  return isLengthUnknown ? emptyStream() : body;
}

function emptyStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

function recordAnswer(
  call: UpstreamCall,
  response: Response,
  verdict: Admitted,
  { exchange, callLog }: CallContext,
): void {
  callLog.record(logEntry(exchange, verdict, {
    status: response.status,
    requestBytes: call.requestBytes,
    responseBytes: call.responseBytes,
    responseHeaders: response.headers,
    server: call.server,
    detail: call.outcome === "aborted" ? "answer_cut_short" : undefined,
  }));
}

const upstreamRefusals: Record<Exclude<UpstreamFaultKind, BodyFault>, RefusalCode> = {
  unreachable: "SERVICE_UNAVAILABLE",
  timeout: "GATEWAY_TIMEOUT",
  invalid_response: "BAD_GATEWAY",
};

/** Nobody reads the answer to a client that left; the log says 499, as nginx does. */
const CLIENT_CLOSED_REQUEST = 499;

function answerFault(
  fault: UpstreamFault,
  call: UpstreamCall,
  verdict: Admitted,
  context: CallContext,
): Response {
  const { kind } = fault;
  if (kind === "body_stalled" || kind === "body_too_large" || kind === "body_cut") {
    const refusal = bodyRefusal(kind, verdict.route.backend.clientBounds.body);
    return answerRefusal({ ...verdict, refusal }, refusal, context, call);
  }
  const { exchange, callLog, log } = context;
  const response = kind === "client_aborted"
    ? new Response(null, { status: CLIENT_CLOSED_REQUEST })
    : refusalResponse(new Refusal(upstreamRefusals[kind]), context);
  if (kind !== "client_aborted") {
    log.warn("an upstream failed", {
      request_id: exchange.requestId,
      backend: verdict.route.backend.name,
      reason: fault.message,
    });
  }
  callLog.record(logEntry(exchange, verdict, {
    status: response.status,
    requestBytes: call.requestBytes,
    responseBytes: refusalBytes(response, exchange),
    responseHeaders: response.headers,
    server: fault.server === "" ? undefined : fault.server,
    detail: kind === "client_aborted" ? "client_left" : `upstream_${kind}`,
  }));
  return response;
}

/** Answers a refused call, with the limit headers that its verdict carries, and records it. */
function answerRefusal(
  verdict: Verdict,
  refusal: Refusal,
  context: CallContext,
  sent: Pick<UpstreamCall, "requestBytes" | "server"> = { requestBytes: 0, server: "" },
): Response {
  const response = refusalResponse(refusal, context);
  for (const [name, value] of verdict.headers) response.headers.set(name, value);
  context.callLog.record(logEntry(context.exchange, verdict, {
    status: response.status,
    requestBytes: sent.requestBytes,
    responseBytes: refusalBytes(response, context.exchange),
    responseHeaders: response.headers,
    server: sent.server === "" ? undefined : sent.server,
  }));
  return response;
}

/** Bytes of body that the answer of our own will have. */
function refusalBytes(response: Response, exchange: Exchange): number {
  return exchange.method === "HEAD" ? 0 : Number(response.headers.get("content-length"));
}

/** The refusal in the format the caller wants. */
export function refusalResponse(refusal: Refusal, { exchange, config }: CallContext): Response {
  return renderRefusal(refusal, {
    requestId: exchange.requestId,
    path: exchange.path,
    query: exchange.query,
    accept: exchange.headers.get("accept"),
    siteName: config.site_name,
    links: refusalLinks(config, exchange),
  });
}
