/**
 * Before anything is matched: refuses the calls of an address that come faster than
 * `router.global_rate_limits` allows. It does not ask what a call is for, so it costs
 * little, and shields the rest.
 */
import type { AddressRate } from "../compile/address_rate.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { RateLimiter } from "../limit/rate_limiter.ts";
import { Refusal } from "../refusal/refusals.ts";

/** @param now ms since the epoch */
export function limitAddress(
  { address }: Exchange,
  rate: AddressRate,
  { leakyBuckets, subjects }: RateLimiter,
  now: number,
): Refusal | null {
  const wait = leakyBuckets.pour(rate, subjects.address(address), now);
  if (wait === 0) return null;
  const seconds = String(Math.ceil(wait / 1000));
  return new Refusal("OVER_RATE_LIMIT", "", [["retry-after", seconds]], rate.rule);
}
