/** How many calls may be made in any stretch of time, and in which mode such limits hold. */
import * as v from "valibot";
import { blameField } from "./blame_field.ts";
import { oneOf, unique, wholeNumber } from "./fields.ts";

/** What a counter can hold. */
export const MOST_CALLS = 2 ** 32 - 1;

const rateLimit = v.strictObject({
  duration: v.pipe(
    v.number(),
    v.check(
      (value) => Number.isInteger(value) && value >= 1000 && value <= 31_622_400_000,
      "must be whole milliseconds, from 1000 (a second) to 31622400000 (366 days)",
    ),
    v.description("Milliseconds in which the calls are counted."),
  ),
  limit_by: v.pipe(
    oneOf("api_key", "ip"),
    v.description(
      "api_key counts the calls of a key (without one, of an address), ip those of an IP " +
        "address. Of IPv6, a /64 network is one address.",
    ),
  ),
  limit: v.pipe(
    wholeNumber(1, MOST_CALLS),
    v.description("Calls that may lie in any such time."),
  ),
  response_headers: v.pipe(
    v.optional(v.boolean(), false),
    v.description(
      "Whether answers tell of this limit, in X-RateLimit and RateLimit headers. Of several, " +
        "they tell of the last.",
    ),
  ),
});

export const rateLimits = v.pipe(
  v.array(rateLimit),
  unique("duration", (limit) => `${limit.limit_by} ${limit.duration}`),
);

export type RateLimit = v.InferOutput<typeof rateLimits>[number];

interface LimitSettings {
  readonly rate_limit_mode?: string | null | undefined;
  readonly rate_limits?: readonly unknown[] | undefined;
}

/** `custom` needs limits: an empty list must never come to mean "unlimited". */
export function customNeedsLimits<T extends LimitSettings>() {
  return blameField<T>(({ rate_limit_mode, rate_limits = [] }) =>
    rate_limit_mode !== "custom" || rate_limits.length > 0 ? null : {
      field: "rate_limits",
      message:
        'must hold at least one limit in the mode "custom"; "unlimited" is a mode of its own',
    }
  );
}

/**
 * Limits that come without a mode are meant to hold, so the mode is `custom`; null says
 * "inherit".
 */
export function limitsAreCustom<T extends LimitSettings>() {
  return v.transform<T, T>((settings) =>
    settings.rate_limit_mode === undefined && (settings.rate_limits ?? []).length > 0
      ? { ...settings, rate_limit_mode: "custom" }
      : settings
  );
}
