/**
 * Answers that are the gateway's own: refusals, replies, and what stands in for an answer
 * that no backend gave. Each is told once as the end of its call.
 */
import type { ErrorAnswers } from "../refusal/error_answers.ts";
import type { Refusal } from "../refusal/refusals.ts";
import { type OwnAnswer, renderRefusal } from "../refusal/render.ts";
import { withCors } from "../stages/cors.ts";
import { backendPath } from "../stages/match.ts";
import type { Answered, Verdict } from "../stages/pipeline.ts";
import type { CallContext } from "./call_context.ts";
import { refusalLinks } from "./links.ts";
import { responseOf } from "./response.ts";

/** How a call with an answer of our own ended, besides that answer. */
export interface OwnOutcome {
  readonly requestBytes: number;
  /** Empty: none was asked. */
  readonly server: string;
  readonly detail?: string;
}

const nothingSent: OwnOutcome = { requestBytes: 0, server: "" };

/** Answers a refused call. */
export function answerRefusal(
  verdict: Verdict,
  refusal: Refusal,
  context: CallContext,
  sent: OwnOutcome = nothingSent,
): Response {
  const answer = ownAnswer(refusal, verdict, context);
  endOwn(answer, verdict, context, sent);
  return responseOf(answer.status, answer.headers, answer.body);
}

/** Answers a call that the gateway replies to itself, without a body. */
export function answerReply(verdict: Answered, context: CallContext): Response {
  const { status } = verdict.reply;
  const headers = [
    ["x-request-id", context.exchange.requestId] as const,
    ...verdict.reply.headers,
    ...verdict.headers,
  ];
  endOwn({ status, headers, bytes: 0 }, verdict, context, nothingSent);
  return responseOf(status, headers, null);
}

/** Tells once how a call with an answer of our own ended. */
export function endOwn(
  { status, headers, bytes }: Pick<OwnAnswer, "status" | "headers" | "bytes">,
  verdict: Verdict,
  { exchange, ended }: CallContext,
  { requestBytes, server, detail }: OwnOutcome,
): void {
  ended(exchange, verdict, {
    status,
    requestBytes,
    responseBytes: exchange.method === "HEAD" ? 0 : bytes,
    responseHeaders: headers,
    server: server === "" ? undefined : server,
    detail,
  });
}

/** The refusal of a call, in the format the caller wants, with the headers of its verdict. */
export function ownAnswer(refusal: Refusal, verdict: Verdict, context: CallContext): OwnAnswer {
  const { settings, route } = verdict;
  const { exchange, errors } = context;
  const path = route === null ? exchange.path : backendPath(exchange, route);
  const rendered = rendering(refusal, context, path, settings?.answers.errors ?? errors);
  const cors = settings?.cors ?? null;
  const headers = cors === null
    ? rendered.headers
    : withCors(rendered.headers, cors, context.exchange);
  return { ...rendered, headers: [...headers, ...verdict.headers] };
}

/** @param path whose extension names a format */
function rendering(
  refusal: Refusal,
  { exchange, config }: CallContext,
  path: string,
  errors: ErrorAnswers,
): OwnAnswer {
  return renderRefusal(refusal, {
    requestId: exchange.requestId,
    path,
    query: exchange.query,
    accept: exchange.headers.get("accept"),
    siteName: config.site_name,
    apiKeyMethods: config.gatekeeper.api_key_methods,
    links: refusalLinks(config, exchange),
  }, errors);
}

/** A refusal that is no call's. */
export function refusalResponse(refusal: Refusal, context: CallContext): Response {
  const { status, headers, body } = rendering(
    refusal,
    context,
    context.exchange.path,
    context.errors,
  );
  return responseOf(status, headers, body);
}
