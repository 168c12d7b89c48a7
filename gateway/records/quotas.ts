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

interface QuotaSettings {
  readonly rate_limit_mode?: string | null | undefined;
  readonly quotas?: readonly unknown[] | undefined;
}

/** `unlimited` lifts quotas too: some that are set beside it would be meant to hold. */
export function unlimitedHasNoQuotas<T extends QuotaSettings>() {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value.rate_limit_mode !== "unlimited") return;
    if ((dataset.value.quotas ?? []).length === 0) return;
    addIssue({
      message: 'must be empty in the mode "unlimited", which lifts quotas too',
      path: [{
        type: "object",
        origin: "value",
        input: dataset.value as T & Record<string, unknown>,
        key: "quotas",
        value: dataset.value.quotas,
      }],
    });
  });
}

export type Quota = v.InferOutput<typeof quotas>[number];
