/**
 * Carries out a verdict: forwards an admitted call and answers with what comes
 * back, or answers a refused one; either way it is told once how the call ended.
 */
import { clientAnswer } from "../answers/client_answer.ts";
import type { CarriedCall } from "../cache/cached_call.ts";
import type { BodyFault } from "../exchange/body_reader.ts";
import { bodyRefusal } from "../exchange/client_bounds.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { Refusal, type RefusalCode } from "../refusal/refusals.ts";
import type { Admitted, Verdict } from "../stages/pipeline.ts";
import type { UpstreamCall, UpstreamResponse } from "../upstream/call.ts";
import { UpstreamFault, type UpstreamFaultKind } from "../upstream/faults.ts";
import { WebSocketHandshake } from "../upstream/websocket_handshake.ts";
import { attempted, settled } from "../settled.ts";
import { answerHeaders } from "./answer_headers.ts";
import { type CallContext, warnOfUpstream } from "./call_context.ts";
import { callUpstream } from "./call_upstream.ts";
import type { Outcome } from "./log_entry.ts";
import { answerRefusal, answerReply, endOwn, ownAnswer } from "./own_answers.ts";
import { responseOf } from "./response.ts";
import { openWebSocket } from "./websocket.ts";

/** Answers the call; throws nothing but what is a defect. */
export function carryOut(verdict: Verdict, context: CallContext): Response | Promise<Response> {
  switch (verdict.kind) {
    case "forward":
      return forward(verdict, context);
    case "reply":
      return answerReply(verdict, context);
    case "refuse":
      return answerRefusal(verdict, verdict.refusal, context);
  }
}

function forward(verdict: Admitted, context: CallContext): Response | Promise<Response> {
  const { exchange } = context;
  const handshake = exchange.asksForWebSocket
    ? new WebSocketHandshake(verdict.outgoing.headers)
    : null;
  let ended = () => {};
  const call = callUpstream(verdict, context, handshake, () => ended());
  const answered = (received: UpstreamResponse): Response => {
    const { tunnel } = received;
    if (handshake !== null && tunnel !== undefined) {
      return openWebSocket({ call, handshake, answer: received, tunnel }, verdict, context);
    }
    const answer = clientAnswer(received, verdict, exchange, context.config, call.server);
    const { status, recoded } = answer;
    const isWhole = answer.body instanceof Uint8Array;
    const headers = answerHeaders(answer.headers, verdict, exchange, isWhole);
    const end = () => endAnswered(call, recoded ?? call, status, headers, verdict, context);
    ended = recoded === null ? end : recoded.endOf(call, end);
    if (call.outcome !== "running") ended();
    return responseOf(status, headers, bodyFor(answer, exchange));
  };
  return attempted(() => settled(call.answer, answered), (fault) => {
    if (!(fault instanceof UpstreamFault)) throw fault;
    return answerFault(fault, call, verdict, context);
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

function endAnswered(
  call: CarriedCall,
  sent: Pick<UpstreamCall, "responseBytes" | "outcome">,
  status: number,
  responseHeaders: Outcome["responseHeaders"],
  verdict: Admitted,
  { exchange, ended }: CallContext,
): void {
  ended(exchange, verdict, {
    status,
    requestBytes: call.requestBytes,
    responseBytes: sent.responseBytes,
    responseHeaders,
    server: call.server === "" ? undefined : call.server, // out of the cache
    detail: sent.outcome === "aborted" ? "answer_cut_short" : undefined,
  });
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
  call: CarriedCall,
  verdict: Admitted,
  context: CallContext,
): Response {
  const { kind } = fault;
  if (kind === "body_stalled" || kind === "body_too_large" || kind === "body_cut") {
    const refusal = bodyRefusal(kind, verdict.settings.clientBounds.body);
    const { requestBytes, server } = call;
    return answerRefusal({ ...verdict, kind: "refuse", refusal }, refusal, context, {
      requestBytes,
      server,
    });
  }
  const failed = { requestBytes: call.requestBytes, server: fault.server };
  if (kind === "client_aborted") {
    const answer = { status: CLIENT_CLOSED_REQUEST, headers: [], bytes: 0 };
    endOwn(answer, verdict, context, { ...failed, detail: "client_left" });
    return new Response(null, { status: CLIENT_CLOSED_REQUEST });
  }
  warnOfUpstream(fault, verdict, context);
  const answer = ownAnswer(new Refusal(upstreamRefusals[kind]), verdict, context);
  endOwn(answer, verdict, context, { ...failed, detail: `upstream_${kind}` });
  return responseOf(answer.status, answer.headers, answer.body);
}
