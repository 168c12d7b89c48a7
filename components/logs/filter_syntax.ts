/**
 * A filter as people say it ("path begins with /v1/") and as the URL holds it
 * (`request_path=/v1/*`, the syntax of `gateway/logs/filter.ts`), both ways.
 */
import { literalPieces } from "@/gateway/logs/filter.ts";
import { type LogField, numericLogFields } from "@/gateway/records/log_row.ts";

/** What may be asked of a field, in the words of the filter form. */
export const operators = {
  is: "is",
  is_not: "is not",
  begins_with: "begins with",
  contains: "contains",
  not_begins_with: "does not begin with",
  not_contains: "does not contain",
  at_least: "is at least",
  at_most: "is at most",
  above: "is above",
  below: "is below",
  is_set: "is set",
  is_not_set: "is not set",
  matches: "matches",
  not_matches: "does not match",
} as const;

export type Operator = keyof typeof operators;

export interface LogFilter {
  readonly field: LogField;
  readonly operator: Operator;
  /** Empty for `is_set` and `is_not_set`; a pattern for `matches` and `not_matches`. */
  readonly value: string;
}

const comparisons = { at_least: ">=", at_most: "<=", above: ">", below: "<" } as const;

export function isOperator(text: string): text is Operator {
  return Object.hasOwn(operators, text);
}

/** Whether an operator says all by itself. */
export function standsAlone(operator: Operator): boolean {
  return operator === "is_set" || operator === "is_not_set";
}

/** Whether the operator can be asked of the field: only numbers and times are compared. */
export function isApplicable(field: LogField, operator: Operator): boolean {
  return !Object.hasOwn(comparisons, operator) || numericLogFields.has(field);
}

const forText: readonly Operator[] = [
  "is",
  "is_not",
  "begins_with",
  "not_begins_with",
  "contains",
  "not_contains",
  "matches",
  "not_matches",
  "is_set",
  "is_not_set",
];

const forNumbers: readonly Operator[] = [
  "is",
  "is_not",
  "at_least",
  "at_most",
  "above",
  "below",
  "is_set",
  "is_not_set",
];

/** What people ask of the field; a URL may say more (`response_status=4*`). */
export function operatorsOf(field: LogField): readonly Operator[] {
  return numericLogFields.has(field) ? forNumbers : forText;
}

/** What a value to compare the field with looks like. */
export function exampleValue(field: LogField, operator: Operator): string {
  if (!numericLogFields.has(field)) return "value";
  if (field === "request_at") return "2026-03-01T12:00:00Z";
  const single = Object.hasOwn(comparisons, operator);
  if (field === "response_status") return single ? "400" : "403 or 4xx";
  return single ? "100" : "100 or 100..200";
}

/** The filter as a parameter's value. */
export function filterValue({ field, operator, value }: LogFilter): string {
  const literal = numericLogFields.has(field) ? value : value.replace(/[\\*!]/g, "\\$&");
  switch (operator) {
    case "is":
      return literal;
    case "is_not":
      return `!${literal}`;
    case "begins_with":
      return `${literal}*`;
    case "not_begins_with":
      return `!${literal}*`;
    case "contains":
      return `*${literal}*`;
    case "not_contains":
      return `!*${literal}*`;
    case "is_set":
      return "*";
    case "is_not_set":
      return "!*";
    case "matches":
      return value;
    case "not_matches":
      return `!${value}`;
    case "at_least":
    case "at_most":
    case "above":
    case "below":
      return comparisons[operator] + value;
  }
}

/** Reads a parameter's value, whatever wrote it; null for an empty one, which filters nothing. */
export function parseFilterValue(field: LogField, text: string): LogFilter | null {
  if (text === "") return null;
  const negated = text.startsWith("!");
  const rest = negated ? text.slice(1) : text;
  if (rest === "*") return { field, operator: negated ? "is_not_set" : "is_set", value: "" };
  const compared = numericLogFields.has(field) && !negated ? comparedBy(rest) : null;
  return { field, ...(compared ?? patternOf(rest, negated)) };
}

type Asked = Pick<LogFilter, "operator" | "value">;

function comparedBy(text: string): Asked | null {
  const [, sign, value] = /^(>=|<=|>|<)(.+)$/.exec(text) ?? [];
  if (sign === undefined || value === undefined) return null;
  if (sign === ">=") return { operator: "at_least", value };
  if (sign === "<=") return { operator: "at_most", value };
  return { operator: sign === ">" ? "above" : "below", value };
}

function patternOf(text: string, negated: boolean): Asked {
  const pieces = literalPieces(text);
  const [first = "", second = "", third] = pieces;
  if (pieces.length === 1) return { operator: negated ? "is_not" : "is", value: first };
  if (pieces.length === 2 && second === "") {
    return { operator: negated ? "not_begins_with" : "begins_with", value: first };
  }
  if (pieces.length === 3 && first === "" && third === "") {
    return { operator: negated ? "not_contains" : "contains", value: second };
  }
  return { operator: negated ? "not_matches" : "matches", value: text };
}
