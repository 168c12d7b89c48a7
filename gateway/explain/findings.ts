/**
 * What the stages find out about a call that is explained: the very stages that decide
 * over calls, asked one by one, whatever those before them would have done to it.
 */
import type { CompiledConfiguration } from "../compile/configuration.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Credential } from "../exchange/api_key.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HeaderFields } from "../exchange/header_fields.ts";
import type { KeyHolder } from "../keys/key_holder.ts";
import type { RateLimiter } from "../limit/rate_limiter.ts";
import { Refusal } from "../refusal/refusals.ts";
import type { Call } from "../stages/call.ts";
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
import type { Explanation } from "./explanation.ts";
import type { Judgement } from "./judgement.ts";
import { judgeLimits } from "./limit_words.ts";
import { lookingLimiter } from "./looking_limiter.ts";
import { MASK } from "./secrets.ts";
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

/** What the stages make of a call, each by itself. */
export interface Findings {
  readonly call: Call | null;
  readonly judgements: readonly Judgement[];
  readonly limits: Explanation["limits"];
  /** What the limits have the answer say. */
  readonly headers: HeaderFields;
  readonly outgoing: Outgoing | null;
}

/**
 * Has every stage decide over a request that could be understood.
 * @param now ms since the epoch
 */
export async function findingsOf(
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
export function nothingFound(judged: readonly Judgement[]): Findings {
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
