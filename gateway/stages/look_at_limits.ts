/** How a call stands against its limits and quotas, for whoever asks why: nothing is counted. */
import type { LayerName } from "../compile/layers.ts";
import { quotasFrom, rateLimitsFrom } from "../compile/limits.ts";
import { limitWords, quotaWords } from "../limit/policies.ts";
import type { RateLimiter } from "../limit/rate_limiter.ts";
import type { Call } from "./call.ts";
import { CallSubjects, heldLimits, holderLimitsHere, isSkipped } from "./held_limits.ts";

/** A limit or quota that holds for a call, and how much of it is used. */
export interface LimitState {
  readonly kind: "rate_limit" | "quota";
  /** `20 calls a second by API key`. */
  readonly words: string;
  /** Calls that it allows. */
  readonly calls: number;
  /** Calls that count now. */
  readonly used: number;
  /** Calls left, never negative. */
  readonly remaining: number;
  /** Whether it would refuse a call now. */
  readonly refuses: boolean;
  /** Whole seconds until more calls are left; 0 when none is counted. */
  readonly seconds_until_more: number;
}

/** Who set the limits of a call; `user_for_backend`: the user's settings, for this backend. */
export type LimitSource = "user_for_backend" | "user" | LayerName;

export interface LimitStates {
  /** Whose limits hold, or whose word it is that none do. */
  readonly rateLimitsFrom: LimitSource;
  readonly quotasFrom: LimitSource;
  /** In the order in which they are counted: rate limits, then quotas. */
  readonly states: readonly LimitState[];
}

/**
 * Gives the limits and quotas that `limit` would count this call against.
 * @param now ms since the epoch
 */
export function lookAtLimits(call: Call, limiter: RateLimiter, now: number): LimitStates {
  const { rates, rateBucket, quotas, quotaBucket } = heldLimits(call);
  const subjects = new CallSubjects(call, limiter.subjects);
  const ofRates = rates.limits.filter((rule) => !isSkipped(rule, call)).map((rule) =>
    stateOf(
      "rate_limit",
      limitWords(rule),
      rule,
      limiter.look(rule, rateBucket, subjects.of(rule), now),
    )
  );
  const ofQuotas = quotas.filter((rule) => !isSkipped(rule, call)).map((rule) =>
    stateOf(
      "quota",
      quotaWords(rule),
      rule,
      limiter.quotas.look(rule, quotaBucket, subjects.of(rule), now),
    )
  );
  return {
    rateLimitsFrom: sourceOf("rateLimits", call),
    quotasFrom: sourceOf("quotas", call),
    states: [...ofRates, ...ofQuotas],
  };
}

function stateOf(
  kind: LimitState["kind"],
  words: string,
  { calls }: { readonly calls: number },
  count: {
    readonly used: number;
    readonly remaining: number;
    readonly allowed: boolean;
    readonly secondsUntilMore: number;
  },
): LimitState {
  const { used, remaining, allowed, secondsUntilMore } = count;
  return {
    kind,
    words,
    calls,
    used,
    remaining,
    refuses: !allowed,
    seconds_until_more: secondsUntilMore,
  };
}

function sourceOf(what: "rateLimits" | "quotas", call: Call): LimitSource {
  const { settings, holder } = call;
  const here = holderLimitsHere(call);
  if (here !== undefined && here[what] !== null) return "user_for_backend";
  if (holder !== null && holder[what] !== null) return "user";
  return what === "rateLimits" ? rateLimitsFrom(settings.layers) : quotasFrom(settings.layers);
}
