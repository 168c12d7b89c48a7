/** The limits of a backend for which nobody set any; API Umbrella's (§2.6). */
import type { RateLimit } from "../records/rate_limits.ts";

export const defaultRateLimits: readonly RateLimit[] = [
  { duration: 1000, limit_by: "ip", limit: 50, response_headers: false },
  { duration: 1000, limit_by: "api_key", limit: 20, response_headers: false },
  { duration: 15_000, limit_by: "ip", limit: 250, response_headers: false },
  { duration: 15_000, limit_by: "api_key", limit: 150, response_headers: false },
  { duration: 3_600_000, limit_by: "api_key", limit: 1000, response_headers: true },
];
