/** What "guarded" means, for Portico and for its peers alike. */
import { defaultRateLimits } from "@/gateway/config/default_rate_limits.ts";

/** The key holder of every guarded call. */
export const caller = {
  email: "caller@example.org",
  firstName: "Ada",
  lastName: "Caller",
  role: "reader",
} as const;

/** Never reached: the bench measures what counting costs, not what refusing does. */
const OUT_OF_REACH = 1_000_000_000;

/** Portico's default limits in number, windows and kinds. */
export const rateLimits = defaultRateLimits.map((limit) => ({ ...limit, limit: OUT_OF_REACH }));
