/** The section `router.global_rate_limits`: how fast calls of one address may come. */
import * as v from "valibot";
import { wholeNumber } from "../records/fields.ts";
import { key } from "./key.ts";

const BURST_MAX = 1_000_000;

/** nginx's spelling, as API Umbrella takes it. */
const rate = v.pipe(
  v.string(),
  v.regex(
    /^[1-9]\d{0,5}r\/[sm]$/,
    'must be a rate such as "10r/s" (calls a second) or "30r/m" (a minute)',
  ),
);

export const globalRateLimits = v.strictObject({
  ip_rate: key(
    v.nullable(rate),
    null,
    "Calls that may come from one IP address: 10r/s is ten a second, so one in each tenth of it; " +
      "30r/m is thirty a minute. Of IPv6, a /64 network is one address. A faster one gets 429, " +
      "whatever it is for. Empty means no such limit.",
    { example: "100r/s" },
  ),
  ip_burst: key(
    wholeNumber(0, BURST_MAX),
    0,
    "Calls of one IP address that may come ahead of that rate.",
    { example: 200 },
  ),
});

export type GlobalRateLimits = v.InferOutput<typeof globalRateLimits>;
