/** How fast the calls of one address may come, in the whole server. */
import type { GlobalRateLimits } from "../config/global_rate_limits.ts";
import type { LeakRate } from "../limit/leaky_buckets.ts";

export interface AddressRate extends LeakRate {
  /** `over 10r/s of one IP address (router.global_rate_limits)`. */
  readonly rule: string;
}

/** Null: there is no such limit. */
export function compileAddressRate({ ip_rate, ip_burst }: GlobalRateLimits): AddressRate | null {
  if (ip_rate === null) return null;
  const calls = Number.parseInt(ip_rate);
  return {
    perSecond: ip_rate.endsWith("/s") ? calls : calls / 60,
    burst: ip_burst,
    rule: `over ${ip_rate} of one IP address (router.global_rate_limits)`,
  };
}
