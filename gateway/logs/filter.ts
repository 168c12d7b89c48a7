/**
 * Filters on one field, in a syntax that fits a URL and a form field:
 *
 * | value           | rows whose field …                                    |
 * | --------------- | ----------------------------------------------------- |
 * | `403`, `a@b.c`  | is that; letters compare without regard to case       |
 * | `/v1/*`         | begins with `/v1/`                                    |
 * | `*bot*`         | contains `bot`; `*` stands for any text, anywhere     |
 * | `*`             | has a value at all                                    |
 * | `>=400`, `<10`  | is at least 400, is below 10; also `>` and `<=`       |
 * | `400..499`      | is between the two, both included; one may be missing |
 * | `4xx`           | is a status of that class (`response_status` alone)   |
 * | `!…`            | is not what follows; `!*` is: has no value            |
 *
 * Comparisons are for numbers and for `request_at`, whose operands are ISO 8601
 * times. In text, `\` takes the meaning from a following `*`, `!` or `\`. An
 * empty value filters nothing, because forms send empty fields.
 *
 * A field that is given several times passes when any of its values does; what
 * is negated must hold for each: `user_id=a&user_id=b`, `user_id=!a&user_id=!b`.
 */
import { invalidField } from "../faults.ts";
import { type LogField, numericLogFields } from "../records/log_row.ts";
import type { Cell } from "./column.ts";
import { isoTimeExpected, parseIsoTime } from "./iso_time.ts";

/** A test of one field; a row passes a list of filters when it passes every one. */
export interface Filter {
  readonly field: LogField;
  readonly test: Test;
}

type Test = (cell: Cell) => boolean;

/**
 * The filter that a field's values ask for, or null when all are empty. Throws a
 * `Fault` (422) on the field.
 */
export function parseFilter(field: LogField, values: readonly string[]): Filter | null {
  const wanted: Test[] = [];
  const unwanted: Test[] = [];
  for (const value of values) {
    if (value === "") continue;
    const negated = value.startsWith("!");
    (negated ? unwanted : wanted).push(parseTest(field, negated ? value.slice(1) : value));
  }
  if (wanted.length + unwanted.length === 0) return null;
  const test = (cell: Cell) =>
    (wanted.length === 0 || wanted.some((passes) => passes(cell))) &&
    !unwanted.some((passes) => passes(cell));
  return { field, test };
}

function parseTest(field: LogField, value: string): Test {
  if (value === "") throw invalidField(field, "needs a value after !");
  return numericLogFields.has(field) ? numberTest(field, value) : textTest(value);
}

function textTest(value: string): Test {
  const pieces = literalPieces(value.toLowerCase());
  return (cell) => cell !== null && matchesPieces(String(cell).toLowerCase(), pieces);
}

/** The texts between the asterisks of a pattern, without the backslashes. */
export function literalPieces(pattern: string): string[] {
  const pieces = [""];
  for (const [token] of pattern.matchAll(/\\[*!\\]|[^]/g)) {
    if (token === "*") pieces.push("");
    else pieces[pieces.length - 1] += token.length === 2 ? token.slice(1) : token;
  }
  return pieces;
}

/**
 * Whether `text` is the pieces with any text between them. Each piece is taken
 * where it first fits, so the cost is linear whatever pattern somebody thinks up.
 */
function matchesPieces(text: string, pieces: readonly string[]): boolean {
  const first = pieces[0] ?? "";
  const last = pieces.at(-1) ?? "";
  if (pieces.length === 1) return text === first;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}

const COMPARISON = /^(>=|<=|>|<)(.+)$/;
const RANGE = /^(.*?)\.\.(.*)$/;
const STATUS_CLASS = /^([1-5])xx$/i;

function numberTest(field: LogField, value: string): Test {
  const operand = (text: string) => parseOperand(field, text);
  const [, operator, compared] = COMPARISON.exec(value) ?? [];
  if (operator !== undefined && compared !== undefined) {
    return comparison(operator, operand(compared));
  }
  const [, low, high] = RANGE.exec(value) ?? [];
  if (low !== undefined && high !== undefined && low + high !== "") {
    return between(low === "" ? -Infinity : operand(low), high === "" ? Infinity : operand(high));
  }
  const [, statusClass] = STATUS_CLASS.exec(value) ?? [];
  if (statusClass !== undefined && field === "response_status") {
    return between(Number(statusClass) * 100, Number(statusClass) * 100 + 99);
  }
  if (value.includes("*") && field !== "request_at") return textTest(value);
  if (value === "*") return (cell) => cell !== null;
  const wanted = operand(value);
  return (cell) => cell === wanted;
}

function comparison(operator: string, operand: number): Test {
  return (cell) => {
    if (typeof cell !== "number") return false;
    if (operator === ">=") return cell >= operand;
    if (operator === "<=") return cell <= operand;
    return operator === ">" ? cell > operand : cell < operand;
  };
}

function between(low: number, high: number): Test {
  return (cell) => typeof cell === "number" && cell >= low && cell <= high;
}

function parseOperand(field: LogField, text: string): number {
  if (field === "request_at") {
    const time = parseIsoTime(text);
    if (time === null) throw invalidField(field, isoTimeExpected);
    return time;
  }
  if (!/^-?\d+(\.\d+)?$/.test(text)) {
    const several = field === "response_status" ? "a class such as 4xx" : "a pattern such as 4*";
    throw invalidField(
      field,
      `must be a number, a comparison such as >=400, a range such as 400..499 or ${several}`,
    );
  }
  return Number(text);
}
