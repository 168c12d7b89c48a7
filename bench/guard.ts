/** What "guarded" means, for Portico and for its peers alike. */

/** The key holder of every guarded call. */
export const caller = {
  email: "caller@example.org",
  firstName: "Ada",
  lastName: "Caller",
  role: "reader",
} as const;

/** Never reached: the bench measures what counting costs, not what refusing does. */
const OUT_OF_REACH = 1_000_000_000;

/** Portico's default limits in number, windows (milliseconds) and kinds. */
export const rateLimits = [
  { duration: 1000, limit_by: "ip", limit: OUT_OF_REACH, response_headers: false },
  { duration: 1000, limit_by: "api_key", limit: OUT_OF_REACH, response_headers: false },
  { duration: 15_000, limit_by: "ip", limit: OUT_OF_REACH, response_headers: false },
  { duration: 15_000, limit_by: "api_key", limit: OUT_OF_REACH, response_headers: false },
  { duration: 3_600_000, limit_by: "api_key", limit: OUT_OF_REACH, response_headers: true },
] as const;
