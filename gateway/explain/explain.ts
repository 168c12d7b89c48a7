/**
 * Explains a call: has the very stages decide that decide over calls, each of them,
 * and tells what came of it and why. Nothing is sent, counted or recorded.
 */
import type { CompiledConfiguration } from "../compile/configuration.ts";
import type { Configuration } from "../config/configuration.ts";
import { apiKeyMethods, type Credential, readApiKey } from "../exchange/api_key.ts";
import { type Exchange, isMalformed, readExchange } from "../exchange/exchange.ts";
import type { HeaderFields } from "../exchange/header_fields.ts";
import type { KeyHolder } from "../keys/key_holder.ts";
import type { RateLimiter } from "../limit/rate_limiter.ts";
import { Refusal } from "../refusal/refusals.ts";
import { Variables } from "../refusal/variables.ts";
import { answerHeaders } from "../serve/answer_headers.ts";
import { refusalLinks } from "../serve/links.ts";
import { type Call, Reply } from "../stages/call.ts";
import { limit } from "../stages/limit.ts";
import { lookAtLimits } from "../stages/look_at_limits.ts";
import { match } from "../stages/match.ts";
import { checks, credentialFor, notFound } from "../stages/pipeline.ts";
import { type Outgoing, rewrite } from "../stages/rewrite.ts";
import {
  judgeAddressRate,
  judgeBan,
  judgeMatch,
  judgeNoMatch,
  judgeOwnPage,
  judgeRequest,
} from "./arrival_words.ts";
import { judgeCaching } from "./cache_words.ts";
import type { CallInQuestion } from "./call_in_question.ts";
import type { Explanation } from "./explanation.ts";
import { deciding, explainedStages, type Judgement, OWN_PAGE } from "./judgement.ts";
import { judgeLimits } from "./limit_words.ts";
import { lookingLimiter } from "./looking_limiter.ts";
import { subUrlIndex } from "./rules.ts";
import { MASK, withoutCredentials, withoutKeys } from "./secrets.ts";
import { stageWords } from "./stage_words.ts";

/** What a call is explained by. */
export interface ExplainRules {
  readonly config: Configuration;
  readonly configuration: CompiledConfiguration;
  /** The live version; null: the drafts. */
  readonly version: number | null;
  readonly keys: { find(key: string): Promise<KeyHolder | null> };
  readonly limiter: RateLimiter;
}

export interface Caller {
  /** Whose connection the call comes over. */
  readonly address: string;
  /** Calls with a key of theirs, whatever key the call carries; null: with that one. */
  readonly user: KeyHolder | null;
}

/** What a stage has found out, beyond its word, that the answer tells. */
interface Findings {
  readonly call: Call | null;
  readonly judgements: readonly Judgement[];
  readonly limits: Explanation["limits"];
  /** What the limits have the answer say. */
  readonly headers: HeaderFields;
  readonly outgoing: Outgoing | null;
}

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

async function findingsOf(
  exchange: Exchange,
  { user }: Caller,
  rules: ExplainRules,
  now: number,
): Promise<Findings> {
  const { configuration, keys, limiter } = rules;
  const arrival = [
    judgeBan(exchange, configuration),
    judgeRequest(null),
    judgeOwnPage(exchange, configuration),
    ...judgeAddressRate(configuration),
  ];
  const matched = match(exchange, configuration);
  if (matched === undefined) {
    const nobodys = judgeNoMatch(exchange, notFound(exchange, configuration));
    return nothingFound([...arrival, nobodys]);
  }
  const credential: Credential | null = user === null
    ? credentialFor(exchange, matched.route, configuration)
    : { key: MASK, method: "header" };
  const holder = user ?? (credential === null ? null : await keys.find(credential.key));
  const call: Call = { exchange, ...matched, credential, holder };
  const { refusal, headers } = limit(call, lookingLimiter(limiter), now);
  const limits = lookAtLimits(call, limiter, now);
  const outgoing = rewrite(call);
  const judgements = [
    ...arrival,
    judgeMatch(call),
    ...judgeChecks(call, now),
    judgeLimits(call, refusal, limits),
    judgeRewriting(outgoing),
    ...(outgoing instanceof Refusal ? [] : [judgeCaching(call, outgoing, rules.config)]),
  ];
  return {
    call,
    judgements,
    limits: [...limits.states],
    headers,
    outgoing: outgoing instanceof Refusal ? null : outgoing,
  };
}

/** Of a call that is for no backend: the other stages have nothing to decide over. */
function nothingFound(judged: readonly Judgement[]): Findings {
  const why = "There is no API backend whose settings could be asked.";
  const others = [
    ...checks.map(({ name }) => ({ name, title: stageWords[name].title })),
    { name: "limits", title: "Rate limits and quotas" },
    { name: "rewrite", title: "Rewriting" },
    { name: "cache", title: "Cache" },
  ].map((stage): Judgement => ({ ...stage, decision: undefined, why, rule: null }));
  return {
    call: null,
    judgements: [...judged, ...others],
    limits: [],
    headers: [],
    outgoing: null,
  };
}

function judgeChecks(call: Call, now: number): Judgement[] {
  return checks.map(({ name, decide }) => {
    const decision = decide(call, now);
    const { title, tell } = stageWords[name];
    return { name, title, decision, ...tell(call, decision) };
  });
}

function judgeRewriting(outgoing: Outgoing | Refusal): Judgement {
  const isRefused = outgoing instanceof Refusal;
  return {
    name: "rewrite",
    title: "Rewriting",
    decision: isRefused ? outgoing : null,
    why: isRefused ? outgoing.reason : `The backend is asked for ${outgoing.target}.`,
    rule: null,
  };
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

type OwnAnswer = Pick<Explanation, "decision" | "status" | "code" | "message">;

/** What the caller gets, as far as the gateway decides it. */
function answerOf(
  decision: Refusal | Reply | typeof OWN_PAGE | null,
  exchange: Exchange,
  call: Call | null,
  { config, configuration }: ExplainRules,
): OwnAnswer {
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
  { decision, status, code }: OwnAnswer,
  last: Judgement | undefined,
  upstream: Explanation["upstream"],
  call: Call | null,
): string {
  if (last === undefined) {
    return `Forwarded to ${call?.route.backend.name}: ${upstream?.method} ${upstream?.url}`;
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
  const host = headers.find(([name]) => name === "host")?.[1] ?? "";
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
