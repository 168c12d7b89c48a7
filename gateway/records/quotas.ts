/** Calls that may be made in a day or a month of the calendar. */
import * as v from "valibot";
import { field, MOST_CALLS, oneOf, unique, wholeNumber } from "./fields.ts";

const quota = v.strictObject({
  period: field(oneOf("day", "month"), "The calendar day or month, in UTC."),
  limit_by: field(
    oneOf("api_key", "ip"),
    "api_key counts the calls of a key (without one, of an address), ip those of an IP address.",
  ),
  limit: field(wholeNumber(1, MOST_CALLS), "Calls that may be made in it."),
});

export const quotas = v.pipe(
  v.array(quota),
  unique("period", ({ period, limit_by }) => `${limit_by} ${period}`),
);

export type Quota = v.InferOutput<typeof quotas>[number];
