/** The settings that backends inherit: the section `default_api_backend_settings`. */
import * as v from "valibot";
import { credentialsNeedOrigins } from "../records/cors.ts";
import { oneOf } from "../records/fields.ts";
import { rateLimits } from "../records/rate_limits.ts";
import { unlimitedHasNoQuotas } from "../records/quotas.ts";
import { backendSettings } from "../records/settings.ts";
import { defaultRateLimits } from "./default_rate_limits.ts";
import { blame, key } from "./key.ts";
import { startsAreGiven } from "./transition_starts.ts";

/**
 * What is below every backend: nothing else is left to inherit from,
 * so it has limits or a word.
 */
export const defaultSettings = v.pipe(
  v.strictObject({
    ...backendSettings.entries,
    rate_limit_mode: v.pipe(
      v.nullish(oneOf("unlimited", "custom")),
      v.description("unlimited, or custom (as empty is) for the limits in rate_limits."),
    ),
    rate_limits: key(
      rateLimits,
      [...defaultRateLimits],
      "Limits of every backend that has none of its own. They all hold, in this order; the " +
        "first one exceeded refuses a call.",
    ),
  }),
  blame(
    "rate_limits",
    'must hold at least one limit; no limits at all is the rate_limit_mode "unlimited"',
    ({ rate_limit_mode, rate_limits }) => rate_limit_mode === "unlimited" || rate_limits.length > 0,
  ),
  unlimitedHasNoQuotas(),
  credentialsNeedOrigins(),
  startsAreGiven(),
);
