/**
 * Counts a call that passed every check against its limits, in listed order; the
 * first exceeded one refuses it. Those before it stay counted, those after it are
 * not. A key holder's own limits replace the backend's.
 */
import type { CompiledLimit, CompiledLimits, ToldLimit } from "../limit/compiled_limits.ts";
import type { Hash } from "../limit/keyed_hash.ts";
import type { Count, RateLimiter } from "../limit/rate_limiter.ts";
import { Refusal } from "../refusal/refusals.ts";
import type { Call } from "./call.ts";

export interface Limited {
  readonly refusal: Refusal | null;
  /** What the answer tells of the limit that is marked for it; on success and on 429. */
  readonly headers: readonly (readonly [string, string])[];
}

const unlimited: Limited = { refusal: null, headers: [] };

/** @param now ms since the epoch */
export function limit(call: Call, limiter: RateLimiter, now: number): Limited {
  const { limits, told } = limitsOf(call);
  if (limits.length === 0) return unlimited;
  const { rateLimitBucket: bucket } = call.settings;
  const subjects = new CallSubjects(call, limiter);
  let exceeded: Count | null = null;
  let toldCount: Count | null = null;
  for (const rule of limits) {
    if (isSkipped(rule, call)) continue;
    const subject = subjects.of(rule);
    if (exceeded === null) {
      const count = limiter.take(rule, bucket, subject, now);
      if (!count.allowed) exceeded = count;
      if (rule === told?.limit) toldCount = count;
    } else if (rule === told?.limit) {
      // A refused caller is told of its limit all the same, which is not counted for that.
      toldCount = limiter.look(rule, bucket, subject, now);
    }
  }
  return {
    refusal: exceeded === null ? null : overLimit(exceeded),
    headers: told === null || toldCount === null ? [] : tell(told, toldCount),
  };
}

function limitsOf({ settings, holder }: Call): CompiledLimits {
  return holder?.rateLimits ?? settings.rateLimits;
}

/** A limit that is skipped is neither counted nor told. */
function isSkipped({ by }: CompiledLimit, { settings, holder }: Call): boolean {
  const { anonymousByKey, authenticatedByAddress } = settings;
  return holder === null
    ? by === "api_key" && !anonymousByKey
    : by === "ip" && !authenticatedByAddress;
}

/** Whose calls are counted; each is worked out once a call, and only if it is asked for. */
class CallSubjects {
  #address: Hash | null = null;
  #key: Hash | null = null;

  constructor(readonly call: Call, readonly limiter: RateLimiter) {}

  /** The key; without one, or when the rule or the key holder wants it so, the address. */
  of({ by }: CompiledLimit): Hash {
    const { subjects } = this.limiter;
    const { holder, exchange } = this.call;
    return by === "api_key" && holder !== null && !holder.throttleByIp
      ? this.#key ??= subjects.keyHolder(holder.id)
      : this.#address ??= subjects.address(exchange.address);
  }
}

function overLimit({ secondsUntilMore }: Count): Refusal {
  return new Refusal("OVER_RATE_LIMIT", "", [["retry-after", String(secondsUntilMore)]]);
}

/** `t` of `RateLimit` counts, as `Retry-After` does, to when there is more to have. */
function tell(
  { headers, policy }: ToldLimit,
  { remaining, secondsUntilMore }: Count,
): Limited["headers"] {
  return [
    ...headers,
    ["x-ratelimit-remaining", String(remaining)],
    ["ratelimit", `${policy};r=${remaining};t=${secondsUntilMore}`],
  ];
}
