/**
 * A limiter for whoever only wants to know: it finds what counting a call
 * would, and counts nothing.
 */
import type { RateLimiter } from "../limit/rate_limiter.ts";
import type { Limiter } from "../stages/limit.ts";

export function lookingLimiter(limiter: RateLimiter): Limiter {
  const { quotas, subjects } = limiter;
  const look: Limiter["look"] = (...counter) => limiter.look(...counter);
  const lookAtQuota: Limiter["quotas"]["look"] = (...counter) => quotas.look(...counter);
  return {
    subjects,
    take: look,
    look,
    quotas: { take: lookAtQuota, look: lookAtQuota, giveBack() {} },
  };
}
