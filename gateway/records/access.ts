/** Fields that say who may call, and from where. */
import * as v from "valibot";
import { requiredText } from "./fields.ts";

/** A page that calls may come from; `*` stands for any characters. */
export const refererPattern = v.pipe(
  requiredText(500),
  v.regex(/^[\x21-\x7e]+$/, "must be printable ASCII, without spaces"),
);

/** A moment, RFC 3339. */
export const isoTime = v.pipe(
  v.string(),
  v.check(
    (value) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
      !Number.isNaN(Date.parse(value)) && isDay(value.slice(0, 10)),
    'must be a time such as "2026-01-31T12:00:00Z"',
  ),
  v.transform((value) => new Date(value).toISOString()),
);

/** Whether a month has the day: `Date` takes 30 February for 2 March. */
function isDay(date: string): boolean {
  return new Date(date).toISOString().startsWith(date);
}
