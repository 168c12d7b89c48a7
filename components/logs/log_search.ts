/** Filter Logs as its URL says it: a stretch of time, filters, a page, an opened call. */
import { Fault, invalidField } from "@/gateway/faults.ts";
import { parseFilter } from "@/gateway/logs/filter.ts";
import { type LogField, logFields } from "@/gateway/records/log_row.ts";
import {
  filterValue,
  isApplicable,
  isOperator,
  type LogFilter,
  operators,
  parseFilterValue,
  standsAlone,
} from "./filter_syntax.ts";
import { addParameters, withFilterUrl } from "./log_urls.ts";
import { type LogRange, readRange } from "./time_range.ts";

export interface LogSearch {
  /** What the URL says, without what a form left empty. */
  readonly params: URLSearchParams;
  readonly range: LogRange;
  readonly filters: readonly AppliedFilter[];
  /** The request id of the call that is open, if one is. */
  readonly entry: string | null;
}

export interface AppliedFilter extends LogFilter {
  /** As it stands in the URL. */
  readonly text: string;
}

/** `now` is in milliseconds since the epoch. */
export function readLogSearch(url: URL, now: number): LogSearch {
  const params = new URLSearchParams([...url.searchParams].filter(([, value]) => value !== ""));
  return {
    params,
    range: readRange(params, now),
    filters: logFields.flatMap((field) =>
      params.getAll(field).flatMap((text) => {
        const filter = parseFilterValue(field, text);
        return filter === null ? [] : { ...filter, text };
      })
    ),
    entry: params.get("entry"),
  };
}

/**
 * What to ask the log for. A parameter that neither the page nor the log knows goes
 * along and is refused: a typo must not look like a search without result.
 */
export function logQuery({ params, range }: LogSearch): URLSearchParams {
  const query = new URLSearchParams(params);
  for (const name of ["range", "entry", "start_at", "end_at", ...addParameters]) {
    query.delete(name);
  }
  if (range.startAt !== "") query.set("start_at", range.startAt);
  if (range.endAt !== "") query.set("end_at", range.endAt);
  return query;
}

/** The form's fields for one more filter, as they were sent. */
export interface FilterFields {
  readonly add_field: string;
  readonly add_operator: string;
  readonly add_value: string;
}

export function readFilterFields(params: URLSearchParams): FilterFields {
  const [add_field = "", add_operator = "", add_value = ""] = addParameters.map((name) =>
    params.get(name) ?? ""
  );
  return { add_field, add_operator, add_value };
}

/**
 * Where to go when the form asked for one more filter; null when it did not. Throws
 * a `Fault` (422) that says what is wrong with the filter.
 */
export function addedFilterUrl({ params }: LogSearch): string | null {
  if (!params.has("add_field")) return null;
  const { add_field, add_operator, add_value } = readFilterFields(params);
  const field = logFields.find((name) => name === add_field);
  const value = add_value.trim();
  if (field === undefined) throw invalidField("add_field", "Choose a field of the log.");
  if (!isOperator(add_operator)) throw invalidField("add_operator", "Choose what to ask of it.");
  if (value === "" && !standsAlone(add_operator)) throw invalidField("add_value", "can't be blank");
  if (!isApplicable(field, add_operator)) throw notComparable(add_operator);
  const text = filterValue({ field, operator: add_operator, value });
  refuseUnreadable(field, text);
  return withFilterUrl(params, field, text);
}

/** What the log would refuse is refused here, beside what was typed. */
function refuseUnreadable(field: LogField, text: string): void {
  try {
    parseFilter(field, [text]);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw invalidField("add_value", error.errors[0]?.message ?? "cannot be read");
  }
}

function notComparable(operator: keyof typeof operators): Fault {
  return invalidField(
    "add_operator",
    `Only numbers and times can be asked whether something “${operators[operator]}”.`,
  );
}

/** The text by which exactly this value of a field is found. */
export function exactly(field: LogField, value: string): string {
  return filterValue({ field, operator: "is", value });
}
