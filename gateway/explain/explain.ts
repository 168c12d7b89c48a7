/**
 * Explains a call: has the very stages decide that decide over calls, each of them,
 * and tells what came of it and why. Nothing is sent, counted or recorded.
 */
import { apiKeyMethods, readApiKey } from "../exchange/api_key.ts";
import { type Exchange, isMalformed, readExchange } from "../exchange/exchange.ts";
import { fieldValue, type HeaderFields } from "../exchange/header_fields.ts";
import { Refusal } from "../refusal/refusals.ts";
import { Variables } from "../refusal/variables.ts";
import { answerHeaders } from "../serve/answer_headers.ts";
import { refusalLinks } from "../serve/links.ts";
import { type Call, Reply } from "../stages/call.ts";
import type { Outgoing } from "../stages/rewrite.ts";
import { judgeBan, judgeRequest } from "./arrival_words.ts";
import type { CallInQuestion } from "./call_in_question.ts";
import type { Explanation } from "./explanation.ts";
import {
  type Caller,
  type ExplainRules,
  type Findings,
  findingsOf,
  nothingFound,
} from "./findings.ts";
import { deciding, explainedStages, type Judgement, OWN_PAGE } from "./judgement.ts";
import { subUrlIndex } from "./rules.ts";
import { withoutCredentials, withoutKeys } from "./secrets.ts";

/** @param now ms since the epoch */
export async function explain(
  question: CallInQuestion,
  caller: Caller,
  rules: ExplainRules,
  now: number,
): Promise<Explanation> {
  const { configuration } = rules;
  const read = readExchange(question, {
    peer: caller.address,
    scheme: question.scheme,
    entrance: configuration.entrance,
    headBounds: configuration.headBounds,
  });
  const exchange = isMalformed(read) ? read.exchange : read;
  const findings = isMalformed(read)
    ? nothingFound([judgeBan(exchange, configuration), judgeRequest(read.refusal)])
    : await findingsOf(exchange, caller, rules, now);
  return withoutKeys(told(exchange, findings, rules), keysIn(exchange));
}

/** Whatever may be a key, also where another one is taken: none of them comes back. */
function keysIn(exchange: Exchange): string[] {
  return apiKeyMethods.flatMap((method) => readApiKey(exchange, [method])?.key ?? []);
}

function told(
  exchange: Exchange,
  { call, judgements, limits, headers, outgoing }: Findings,
  rules: ExplainRules,
): Explanation {
  const last = deciding(judgements);
  const answer = answerOf(last?.decision ?? null, exchange, call, rules);
  const forwarded = last === undefined && call !== null && outgoing !== null
    ? { call, outgoing }
    : null;
  const upstream = forwarded === null ? null : upstreamRequest(forwarded);
  return {
    ...answer,
    summary: summary(answer, last, upstream, call),
    stage: last?.name ?? null,
    ...matchFacts(call),
    user: call?.holder == null ? null : { id: call.holder.id, email: call.holder.email },
    address: exchange.address,
    version: rules.version,
    stages: explainedStages(judgements),
    limits,
    upstream,
    answer_headers: forwarded === null
      ? ownAnswerHeaders(last, headers)
      : forwardedAnswerHeaders(forwarded, exchange, headers),
  };
}

function matchFacts(call: Call | null): Pick<Explanation, "backend" | "url_match" | "sub_url"> {
  if (call === null) return { backend: null, url_match: null, sub_url: null };
  const { route } = call;
  const { id, name, source, isWebsite } = route.backend;
  const index = subUrlIndex(call);
  const sub = source.sub_settings[index];
  return {
    backend: { kind: isWebsite ? "website_backend" : "backend", id, name },
    url_match: { frontend_prefix: route.frontendPrefix, backend_prefix: route.backendPrefix },
    sub_url: sub === undefined ? null : { index, http_method: sub.http_method, regex: sub.regex },
  };
}

type Outcome = Pick<Explanation, "decision" | "status" | "code" | "message">;

/** What the caller gets, as far as the gateway decides it. */
function answerOf(
  decision: Refusal | Reply | typeof OWN_PAGE | null,
  exchange: Exchange,
  call: Call | null,
  { config, configuration }: ExplainRules,
): Outcome {
  const unsaid = { status: null, code: null, message: null };
  if (decision === null) return { ...unsaid, decision: "forwarded" };
  if (decision === OWN_PAGE) return { ...unsaid, decision: "answered" };
  if (decision instanceof Reply) {
    return { ...unsaid, decision: "answered", status: decision.status };
  }
  const { code, reason } = decision;
  if (code === "BANNED" && configuration.bans !== null) {
    const { status, message } = configuration.bans.answer;
    return { decision: "refused", status, code, message };
  }
  const errors = call?.settings.answers.errors ?? configuration.errors;
  const { status, variables } = errors.of(code);
  const links = refusalLinks(config, exchange);
  const text = new Variables(variables, { ...links, request_id: exchange.requestId, reason });
  return { decision: "refused", status, code: text.text("code"), message: text.text("message") };
}

function summary(
  { decision, status, code }: Outcome,
  last: Judgement | undefined,
  upstream: Explanation["upstream"],
  call: Call | null,
): string {
  if (last === undefined) {
    return `Forwarded to ${call?.route.backend.name}: ${upstream?.method} ${upstream?.target}`;
  }
  const how = decision === "refused"
    ? `Refused with ${status} ${code}`
    : status === null
    ? "Answered by Portico itself"
    : `Answered with ${status} by Portico itself`;
  // The sentence goes on; what is a name keeps its letters.
  return `${how}: ${last.why.replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase())}`;
}

interface Forwarded {
  readonly call: Call;
  readonly outgoing: Outgoing;
}

function upstreamRequest(
  { call: { exchange, route }, outgoing }: Forwarded,
): NonNullable<Explanation["upstream"]> {
  const { backend_protocol, servers } = route.backend.source;
  const { method, target, headers } = outgoing;
  const host = fieldValue(headers, "host") ?? "";
  const isOwnId = exchange.forwarding.requestId === null;
  const shown = headers.map(([name, value]): [string, string] => [
    name,
    name === "x-request-id" && isOwnId ? "(new for each call)" : withoutCredentials(name, value),
  ]);
  return {
    method,
    url: `${backend_protocol}://${host}${target}`,
    target,
    servers: servers.map(({ host, port }) => `${host}:${port}`),
    headers: Object.fromEntries(shown),
  };
}

function forwardedAnswerHeaders(
  { call: { route, settings, holder }, outgoing }: Forwarded,
  exchange: Exchange,
  headers: HeaderFields,
): Explanation["answer_headers"] {
  const verdict = { kind: "forward", route, settings, holder, outgoing, headers } as const;
  const added = answerHeaders([], verdict, exchange);
  return Object.fromEntries(added.filter(([name]) => name !== "x-request-id"));
}

function ownAnswerHeaders(
  last: Judgement | undefined,
  limitHeaders: HeaderFields,
): Explanation["answer_headers"] {
  const { name, decision } = last ?? {};
  const own = decision instanceof Refusal || decision instanceof Reply ? decision.headers : [];
  return Object.fromEntries([...own, ...(name === "limits" ? limitHeaders : [])]);
}
