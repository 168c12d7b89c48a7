/** The kinds of rows that a list may be of: what their columns are, and how a new one begins. */
import type { Choice } from "./field_kinds.ts";

/** The fields of one row, as they were typed. */
export type RowFields = Readonly<Record<string, string>>;

interface Column {
  readonly label: string;
  readonly choices?: readonly Choice[];
  /** What a post without the field means. */
  readonly missing: string;
}

interface RowKind {
  /** In the summary of a section: "2 custom limits". */
  readonly noun: string;
  readonly columns: Readonly<Record<string, Column>>;
  /** A new row, and the very first one. */
  readonly blank: RowFields;
  readonly first: RowFields;
}

const countedBy = plainChoices(["api_key", "API key"], ["ip", "IP address"]);

const blankHeader = { key: "", value: "" };
const blankLimit = {
  duration: "1",
  unit: "3600000",
  limit_by: "api_key",
  limit: "",
  response_headers: "",
};
const blankQuota = { period: "day", limit_by: "api_key", limit: "" };

export const rowKinds = {
  header: {
    noun: "header",
    columns: {
      key: { label: "Name", missing: "" },
      value: { label: "Value", missing: "" },
    },
    blank: blankHeader,
    first: blankHeader,
  },
  limit: {
    noun: "custom limit",
    columns: {
      limit: { label: "Calls", missing: "" },
      duration: { label: "Duration", missing: "" },
      /** Milliseconds; without it a duration is in milliseconds, as in JSON. */
      unit: { label: "Unit", missing: "1" },
      limit_by: { label: "Counted by", choices: countedBy, missing: "api_key" },
      /** "true" or nothing, as a checkbox sends it. */
      response_headers: { label: "Told in response headers", missing: "" },
    },
    blank: blankLimit,
    // Callers are told of one limit: of the first, as long as nobody says otherwise.
    first: { ...blankLimit, response_headers: "true" },
  },
  quota: {
    noun: "quota",
    columns: {
      limit: { label: "Calls", missing: "" },
      period: {
        label: "Period",
        choices: plainChoices(["day", "Day (UTC)"], ["month", "Month (UTC)"]),
        missing: "day",
      },
      limit_by: { label: "Counted by", choices: countedBy, missing: "api_key" },
    },
    blank: blankQuota,
    first: blankQuota,
  },
} as const satisfies Record<string, RowKind>;

export type RowKindName = keyof typeof rowKinds;

export function rowKind(name: RowKindName): RowKind {
  return rowKinds[name];
}

/** The units that a limit's duration is shown in, in milliseconds, longest first. */
export const durationUnits = [
  { value: "86400000", label: "days" },
  { value: "3600000", label: "hours" },
  { value: "60000", label: "minutes" },
  { value: "1000", label: "seconds" },
] as const;

/** Choices that no summary tells. */
function plainChoices(...words: readonly (readonly [value: string, label: string])[]): Choice[] {
  return words.map(([value, label]) => ({ value, label, brief: "" }));
}
