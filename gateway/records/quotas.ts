/** Calls that may be made in a day or a month of the calendar. */
import * as v from "valibot";
import { blameField } from "./blame_field.ts";
import { field, oneOf, unique, wholeNumber } from "./fields.ts";
import { MOST_CALLS } from "./rate_limits.ts";

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

interface QuotaSettings {
  readonly rate_limit_mode?: string | null | undefined;
  readonly quotas?: readonly unknown[] | undefined;
}

/** `unlimited` lifts quotas too: some that are set beside it would be meant to hold. */
export function unlimitedHasNoQuotas<T extends QuotaSettings>() {
  return blameField<T>(({ rate_limit_mode, quotas = [] }) =>
    rate_limit_mode !== "unlimited" || quotas.length === 0 ? null : {
      field: "quotas",
      message: 'must be empty in the mode "unlimited", which lifts quotas too',
    }
  );
}

export type Quota = v.InferOutput<typeof quotas>[number];
