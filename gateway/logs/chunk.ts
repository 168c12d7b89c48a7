/**
 * Log rows as they lie in the store: a hundred or so packed into one value,
 * column by column, with what totals and charts need to know beside them. A
 * chunk's rows are in the order of their times, and never cross a multiple of
 * `CHUNK_SPAN`, so ranges and bars that begin on one take or leave it whole.
 */
import { type LogField, logFields, type LogRow } from "../records/log_row.ts";
import {
  type Cell,
  cellOf,
  type Column,
  emptyColumn,
  isEmptyColumn,
  packColumn,
} from "./column.ts";
import { SECOND, stepBefore } from "./time_steps.ts";

/** Rows of a full chunk: more would pack little better, and take long to pack. */
export const CHUNK_ROWS = 128;
/** Divides a minute. Longer makes a quiet server's chunks fuller and a busy one's reads longer. */
export const CHUNK_SPAN = 30 * SECOND;

/** A chunk as a value of the store. */
export interface StoredChunk {
  /** Names the isolate that wrote it; with `number` it makes the chunk unique. */
  readonly writer: string;
  readonly number: number;
  readonly rows: number;
  /** Times of the first and the last row, milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
  /** How many rows of each status class. */
  readonly classes: readonly number[];
  /** UTF-8; for each field some row has, a line of its name and its column in JSON. */
  readonly columns: Uint8Array<ArrayBuffer>;
}

/** The span a time is in, by its start. */
export function spanOf(time: number): number {
  return stepBefore(time, CHUNK_SPAN);
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** `kept` gives what is kept of a field's value; fields that are null in every row are left out. */
export function encodeColumns(
  rows: readonly LogRow[],
  kept: (value: Cell, field: LogField) => Cell,
): Uint8Array<ArrayBuffer> {
  let text = "";
  for (const field of logFields) {
    const column = columnOf(rows, field, kept);
    if (!isEmptyColumn(column)) text += `\n${field}${JSON.stringify(column)}`;
  }
  return encoder.encode(text);
}

/** Most fields are the same in all rows of a chunk, which is quick to see. */
function columnOf(
  rows: readonly LogRow[],
  field: LogField,
  kept: (value: Cell, field: LogField) => Cell,
): Column {
  const first = rows[0]?.[field];
  return rows.every((row) => row[field] === first)
    ? [[kept(first ?? null, field)]]
    : packColumn(rows.map((row) => kept(row[field] ?? null, field)));
}

/** A chunk that is read. Its columns are parsed one by one, when they are asked for. */
export class Chunk {
  readonly facts: StoredChunk;
  #text: string | undefined;
  readonly #columns = new Map<LogField, Column>();

  constructor(facts: StoredChunk) {
    this.facts = facts;
  }

  column(field: LogField): Column {
    const known = this.#columns.get(field);
    if (known !== undefined) return known;
    const column = this.#parse(field);
    this.#columns.set(field, column);
    return column;
  }

  /** A row as it was recorded. */
  row(row: number): LogRow {
    const cells = logFields.map((field) => [field, cellOf(this.column(field), row)] as const);
    // What was packed were the fields of a LogRow; a field the row lacked is null here.
    return Object.fromEntries(cells.filter(([, cell]) => cell !== null)) as unknown as LogRow;
  }

  /** Whether `value` could be in it at all; costs less than parsing a column of long texts. */
  mayHold(value: string): boolean {
    return this.#columnsText().includes(JSON.stringify(value));
  }

  /**
   * No line break is inside a column (JSON escapes it), so a field's
   * line is found by its start.
   */
  #parse(field: LogField): Column {
    const text = this.#columnsText();
    const start = text.indexOf(`\n${field}[`);
    if (start === -1) return emptyColumn;
    const end = text.indexOf("\n", start + 1);
    return JSON.parse(text.slice(start + 1 + field.length, end === -1 ? undefined : end));
  }

  #columnsText(): string {
    return this.#text ??= decoder.decode(this.facts.columns);
  }
}
