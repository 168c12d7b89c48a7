/**
 * Log rows as they lie in the store: a hundred or so packed into one value,
 * column by column, with what totals and charts need to know beside them. A
 * chunk holds one stretch of time and never crosses a multiple of `CHUNK_SPAN`,
 * so ranges and bars that begin on one take or leave a chunk whole.
 */
import { type LogField, logFields, type LogRow } from "../records/log_row.ts";
import { VALUE_MAX_BYTES } from "../store/limits.ts";
import { type Cell, type Column, emptyColumn, packColumn } from "./column.ts";
import { addCount, addCounts, type ClassCounts, classOf, noCounts } from "./status_class.ts";
import { SECOND, stepBefore } from "./time_steps.ts";

/** Rows that are worth a chunk of their own: more compress little better and take long to pack. */
export const CHUNK_ROWS = 128;
export const CHUNK_SPAN = 10 * SECOND;
/** What the facts beside the columns take, generously. */
const FACTS_MAX_BYTES = 1024;

/** A chunk as a value of the store. */
export interface StoredChunk {
  /** Names the isolate that wrote it; with `number` it makes the chunk unique. */
  readonly writer: string;
  readonly number: number;
  readonly rows: number;
  /** Times of the first and the last row, milliseconds since the epoch. */
  readonly first: number;
  readonly last: number;
  readonly classes: readonly number[];
  /** UTF-8; for each field some row has, a line of its name and its column in JSON. */
  readonly columns: Uint8Array<ArrayBuffer>;
}

/** A chunk on its way to the store. */
export interface PackedChunk {
  readonly stored: StoredChunk;
  /** Calls by class of each backend, and under "" of those that reached none. */
  readonly backends: ReadonlyMap<string, ClassCounts>;
}

/** Where the name of the next chunk comes from. */
export interface ChunkNames {
  readonly writer: string;
  next(): number;
}

/**
 * Packs rows in the order of their times, which is not always the order they
 * came in: a clock may be set back. They then lie where the clock said, and
 * every list stays in order.
 */
export function packRows(rows: readonly LogRow[], names: ChunkNames): PackedChunk[] {
  const inOrder = rows.toSorted((a, b) => a.request_at - b.request_at);
  return spansOf(inOrder).flatMap((span) => packSpan(span, names));
}

/** Cuts ordered rows wherever a multiple of `CHUNK_SPAN` lies between two. */
function spansOf(rows: readonly LogRow[]): LogRow[][] {
  const spans: LogRow[][] = [];
  let start: number | undefined;
  for (const row of rows) {
    const spanStart = stepBefore(row.request_at, CHUNK_SPAN);
    if (spanStart !== start) spans.push([]);
    start = spanStart;
    spans.at(-1)?.push(row);
  }
  return spans;
}

/** One chunk, or several when the rows are too long for one value. */
function packSpan(rows: readonly LogRow[], names: ChunkNames): PackedChunk[] {
  const columns = fittingColumns(rows);
  if (columns !== null) return [packedChunk(rows, columns, names)];
  const half = Math.ceil(rows.length / 2);
  return [...packSpan(rows.slice(0, half), names), ...packSpan(rows.slice(half), names)];
}

/** The columns of `rows`, or null when they do not fit; a single row is shortened until it does. */
function fittingColumns(rows: readonly LogRow[]): Uint8Array<ArrayBuffer> | null {
  for (let shortening = 1;; shortening *= 2) {
    const columns = encodeColumns(rows, shortening);
    if (columns.length <= VALUE_MAX_BYTES - FACTS_MAX_BYTES) return columns;
    if (rows.length > 1) return null;
  }
}

function packedChunk(
  rows: readonly LogRow[],
  columns: Uint8Array<ArrayBuffer>,
  names: ChunkNames,
): PackedChunk {
  const classes = noCounts();
  const backends = new Map<string, ClassCounts>();
  for (const row of rows) {
    const backend = (row.api_backend_id ?? "").slice(0, TEXT_MAX);
    const counts = backends.get(backend) ?? noCounts();
    backends.set(backend, counts);
    addCount(counts, classOf(row.response_status), 1);
  }
  for (const counts of backends.values()) addCounts(classes, counts);
  const stored = {
    writer: names.writer,
    number: names.next(),
    rows: rows.length,
    first: rows.at(0)?.request_at ?? 0,
    last: rows.at(-1)?.request_at ?? 0,
    classes,
    columns,
  };
  return { stored, backends };
}

/** Characters that are kept of a field; what callers send may be of any length. */
const TEXT_MAX = 200;
const TEXT_MAX_OF: Partial<Record<LogField, number>> = {
  request_path: 4000,
  request_url_query: 4000,
  request_user_agent: 400,
};

const encoder = new TextEncoder();

function encodeColumns(rows: readonly LogRow[], shortening: number): Uint8Array<ArrayBuffer> {
  let text = "";
  for (const field of logFields) {
    const max = Math.floor((TEXT_MAX_OF[field] ?? TEXT_MAX) / shortening);
    const column = packColumn(rows.map((row) => cellToKeep(row[field], max)));
    if (column.length > 1 || column[0].length > 1 || column[0][0] !== null) {
      text += `\n${field}${JSON.stringify(column)}`;
    }
  }
  return encoder.encode(text);
}

function cellToKeep(value: string | number | undefined, max: number): Cell {
  if (typeof value === "string" && value.length > max) return value.slice(0, max);
  return value ?? null;
}

const decoder = new TextDecoder();

/** A chunk that was read back. Its columns are parsed one by one, when they are asked for. */
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

  /** Whether `value` could be in it at all; costs less than parsing a column of long texts. */
  mayHold(value: string): boolean {
    return this.#columnsText().includes(JSON.stringify(value));
  }

  /** No line break is inside a column (JSON escapes it), so a field's line is found by its start. */
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
