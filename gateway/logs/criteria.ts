/**
 * What a caller asks of the log, parsed from the parameters of a URL. The same
 * parameters serve lists, charts and CSV, so a page hands its own on; what a
 * chart or CSV has no use for (`limit`, `cursor`) is checked all the same.
 */
import { Fault, type FieldError, invalidField } from "../faults.ts";
import { logFields } from "../records/log_row.ts";
import { nearestName } from "../records/validate.ts";
import { pageLimit } from "../store/page.ts";
import { type Filter, parseFilter } from "./filter.ts";
import { isoTimeExpected, parseIsoTime } from "./iso_time.ts";
import { parseCursor, type Position } from "./position.ts";
import { END_OF_TIME, type TimeRange } from "./time_steps.ts";

/** The parameters that are no field of a row. */
const ownParameters = ["start_at", "end_at", "limit", "cursor"] as const;
type OwnParameter = typeof ownParameters[number];

export interface Criteria {
  /** From `start_at` to before `end_at`; a bound that was not given is null. */
  readonly startAt: number | null;
  readonly endAt: number | null;
  /** A row must pass every one. */
  readonly filters: readonly Filter[];
  /** Rows a page. */
  readonly limit: number;
  /** The row after which the page begins. */
  readonly after: Position | null;
}

/** Throws a `Fault` (422) that lists every bad parameter. */
export function parseCriteria(params: URLSearchParams): Criteria {
  const errors: FieldError[] = [];
  /** What `parse` gives, or `fallback` with the error noted. */
  const attempt = <T>(parse: () => T, fallback: T): T => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      errors.push(...error.errors);
      return fallback;
    }
  };

  for (const name of new Set(params.keys())) attempt(() => checkName(name), undefined);
  const startAt = attempt(() => timeOf(params, "start_at"), null);
  const endAt = attempt(() => timeOf(params, "end_at"), null);
  if (startAt !== null && endAt !== null && endAt < startAt) {
    attempt(() => refuse("end_at", "must not be before start_at"), undefined);
  }
  const limit = attempt(() => limitOf(params), 0);
  const after = attempt(() => cursorOf(params), null);
  const filters = logFields.flatMap((field) =>
    attempt(() => parseFilter(field, params.getAll(field)), null) ?? []
  );

  if (errors.length > 0) throw new Fault("INVALID_INPUT", errors);
  return { startAt, endAt, filters, limit, after };
}

/** The stretch of time that criteria ask for, as long as time itself without bounds. */
export function rangeOf({ startAt, endAt }: Criteria): TimeRange {
  return { start: startAt ?? 0, end: endAt ?? END_OF_TIME };
}

function checkName(name: string): void {
  const known: readonly string[] = [...ownParameters, ...logFields];
  if (known.includes(name)) return;
  const nearest = nearestName(name, known);
  const suggestion = nearest === undefined ? "" : `, did you mean "${nearest}"?`;
  refuse(name, `is not a known filter${suggestion}`);
}

/** The one value of a parameter; undefined when it is missing or, as forms send it, empty. */
function single(params: URLSearchParams, name: OwnParameter): string | undefined {
  const values = params.getAll(name).filter((value) => value !== "");
  if (values.length > 1) refuse(name, "must be given once");
  return values[0];
}

function timeOf(params: URLSearchParams, name: "start_at" | "end_at"): number | null {
  const text = single(params, name);
  return text === undefined ? null : parseIsoTime(text) ?? refuse(name, isoTimeExpected);
}

function limitOf(params: URLSearchParams): number {
  const text = single(params, "limit");
  return pageLimit({
    limit: text === undefined ? undefined : /^\d+$/.test(text) ? Number(text) : NaN,
  });
}

function cursorOf(params: URLSearchParams): Position | null {
  const text = single(params, "cursor");
  if (text === undefined) return null;
  return parseCursor(text) ??
    refuse("cursor", "must be the next_cursor of an earlier answer to the same list");
}

function refuse(field: string, message: string): never {
  throw invalidField(field, message);
}
