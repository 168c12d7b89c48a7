/**
 * Rate limits made ready for the request path: everything about a limit that does
 * not depend on the call is worked out once, when it is published.
 */
import type { HeaderField } from "../exchange/header_fields.ts";
import type { RateLimit } from "../records/rate_limits.ts";
import type { Hash } from "./keyed_hash.ts";
import { nameHash } from "./names.ts";
import { type Policy, ratePolicy } from "./policies.ts";

export interface CompiledLimit {
  /** Calls that may lie in any `duration`. */
  readonly calls: number;
  /** Milliseconds. */
  readonly duration: number;
  readonly by: RateLimit["limit_by"];
  /** Of what is counted and over which time: limits that agree in both share counters. */
  readonly kind: Hash;
}

/** A list of limits that hold together, in their order. */
export interface CompiledLimits {
  readonly limits: readonly CompiledLimit[];
  /** The limit that callers are told about in the answer's headers; null: none. */
  readonly told: ToldLimit | null;
}

/** What an answer says of a limit, as far as it does not change from call to call. */
export interface ToldLimit {
  readonly limit: CompiledLimit;
  readonly policy: Policy;
  readonly limitField: Readonly<HeaderField>;
  readonly policyField: Readonly<HeaderField>;
}

/** No limits: unlimited. */
export const noLimits: CompiledLimits = { limits: [], told: null };

/** Of several limits marked with `response_headers`, callers are told about the last. */
export function compileLimits(limits: readonly RateLimit[]): CompiledLimits {
  if (limits.length === 0) return noLimits;
  const compiled = limits.map(compileLimit);
  const told = compiled[limits.findLastIndex((limit) => limit.response_headers)];
  return { limits: compiled, told: told === undefined ? null : tell(told) };
}

/** The counters of backends with the same bucket are the same. */
export function compileBucket(name: string): Hash {
  return nameHash(name);
}

function compileLimit({ limit, duration, limit_by }: RateLimit): CompiledLimit {
  return { calls: limit, duration, by: limit_by, kind: nameHash(`${limit_by} ${duration}`) };
}

function tell(limit: CompiledLimit): ToldLimit {
  const policy = ratePolicy(limit);
  return {
    limit,
    policy,
    limitField: ["x-ratelimit-limit", String(limit.calls)],
    policyField: ["ratelimit-policy", policy.item],
  };
}
