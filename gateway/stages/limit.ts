/**
 * Counts a call that passed every check against its limits, in listed order; the
 * first exceeded one refuses it. A key holder's own limits replace the backend's.
 */
import type { RateLimit } from "../records/fields.ts";
import type { RateLimiter, RateLimitResult } from "../limit/rate_limiter.ts";
import { Refusal } from "../refusal/refusals.ts";
import type { Call } from "./call.ts";

export interface Limited {
  readonly refusal: Refusal | null;
  /** `X-RateLimit-*` of the limit that is marked for it; on success and on 429. */
  readonly headers: readonly (readonly [string, string])[];
}

const unlimited: Limited = { refusal: null, headers: [] };

/** @param now ms since the epoch */
export function limit(call: Call, limiter: RateLimiter, now: number): Limited {
  const limits = limitsOf(call);
  if (limits.length === 0) return unlimited;
  let headers: Limited["headers"] = [];
  for (const rule of limits) {
    const result = limiter.take(rule, subject(call, rule), now);
    if (rule.response_headers) headers = rateHeaders(rule, result);
    if (!result.allowed) {
      const retryAfter = ["retry-after", String(result.retryAfter)] as const;
      return { refusal: new Refusal("OVER_RATE_LIMIT", "", [retryAfter]), headers };
    }
  }
  return { refusal: null, headers };
}

function limitsOf({ route, holder }: Call): readonly RateLimit[] {
  switch (holder?.settings.rate_limit_mode) {
    case "unlimited":
      return [];
    case "custom":
      return holder.settings.rate_limits;
    default:
      return route.backend.settings.rateLimits;
  }
}

/** Whose calls are counted: backend and key; without a key, or by rule, the address. */
function subject({ exchange, route, holder }: Call, rule: RateLimit): string {
  const who = rule.limit_by === "api_key" && holder !== null ? holder.id : exchange.address;
  return `${route.backend.id ?? route.backend.name} ${who}`;
}

function rateHeaders(rule: RateLimit, result: RateLimitResult): Limited["headers"] {
  return [
    ["x-ratelimit-limit", String(rule.limit)],
    ["x-ratelimit-remaining", String(result.remaining)],
  ];
}
