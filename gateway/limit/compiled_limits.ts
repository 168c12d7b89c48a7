/**
 * Rate limits made ready for the request path: everything about a limit that does
 * not depend on the call is worked out once, when it is published.
 */
import type { RateLimit } from "../records/fields.ts";
import { type Hash, KeyedHash } from "./keyed_hash.ts";

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
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** How the policy is called in `RateLimit`, quoted. */
  readonly policy: string;
}

/** Names come from the configuration, not from callers: nobody to keep a seed from. */
const names = new KeyedHash({ high: 0, low: 0 });

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
  return names.ofText(name);
}

function compileLimit({ limit, duration, limit_by }: RateLimit): CompiledLimit {
  return { calls: limit, duration, by: limit_by, kind: names.ofText(`${limit_by} ${duration}`) };
}

/**
 * API Umbrella's field and that of draft-ietf-httpapi-ratelimit-headers-11 §3: `q` calls
 * in each `w` whole seconds.
 */
function tell(limit: CompiledLimit): ToldLimit {
  const policy = `"${policyName(limit.duration)}"`;
  const window = Math.ceil(limit.duration / 1000);
  return {
    limit,
    policy,
    headers: [
      ["x-ratelimit-limit", String(limit.calls)],
      ["ratelimit-policy", `${policy};q=${limit.calls};w=${window}`],
    ],
  };
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** `hour`, `15-minutes`, `1500-milliseconds`. */
function policyName(duration: number): string {
  const [unit, length] = units.find(([, length]) => duration % length === 0) ?? ["millisecond", 1];
  const count = duration / length;
  return count === 1 ? unit : `${count}-${unit}s`;
}
