/**
 * Packs recorded rows into chunks that fit the store. On a quiet server a second
 * brings only a row or two; they are added to the chunk that was written last,
 * or the log would be many tiny values, slow to read and large on disk.
 */
import type { LogField, LogRow } from "../records/log_row.ts";
import { VALUE_MAX_BYTES } from "../store/limits.ts";
import { Chunk, CHUNK_ROWS, encodeColumns, spanOf, type StoredChunk } from "./chunk.ts";
import type { Cell } from "./column.ts";
import { addCount, addCounts, type ClassCounts, classOf, noCounts } from "./status_class.ts";

/** A chunk on its way to the store. */
export interface PackedChunk {
  readonly stored: StoredChunk;
  /** The version of the chunk in the store that this one takes the place of. */
  readonly replaces: string | null;
  /** The rows that are not in the store yet; counters are to count these. */
  readonly added: RowCounts;
}

export interface RowCounts {
  readonly rows: number;
  readonly classes: ClassCounts;
  /** By backend, and under "" for calls that reached none. */
  readonly backends: ReadonlyMap<string, ClassCounts>;
}

/** A chunk in the store that may still grow. */
export interface WrittenChunk {
  readonly stored: StoredChunk;
  readonly versionstamp: string;
}

/** Where the name of the next chunk comes from. */
export interface ChunkNames {
  readonly writer: string;
  next(): number;
}

/** A name that no other writer uses, now or later, and a counter. */
export function newChunkNames(): ChunkNames {
  let number = 0;
  return { writer: crypto.randomUUID().slice(-12), next: () => number++ };
}

/** What the facts beside a chunk's columns take, generously. */
const FACTS_MAX_BYTES = 1024;

/**
 * Packs rows in the order of their times, which is not always the order they
 * came in: a clock may be set back. They then lie where the clock said, and
 * every list stays in order. `tail`, the chunk that was written last, grows if
 * the rows go on where it ends and it has room.
 */
export function packRows(
  rows: readonly LogRow[],
  names: ChunkNames,
  tail: WrittenChunk | null,
): PackedChunk[] {
  const inOrder = rows.toSorted((a, b) => a.request_at - b.request_at);
  const [head = [], ...others] = spansOf(inOrder);
  const grown = tail === null ? null : grow(tail, head);
  const chunks = others.flatMap((span) => packSpan(span, names));
  return [...(grown === null ? packSpan(head, names) : [grown]), ...chunks];
}

/** Cuts ordered rows into the spans of time that chunks may hold. */
function spansOf(rows: readonly LogRow[]): LogRow[][] {
  const spans: LogRow[][] = [];
  let current: number | undefined;
  for (const row of rows) {
    const span = spanOf(row.request_at);
    if (span !== current) spans.push([]);
    current = span;
    spans.at(-1)?.push(row);
  }
  return spans;
}

/** The written chunk with more rows at its end; null when they do not belong or fit there. */
function grow({ stored, versionstamp }: WrittenChunk, rows: readonly LogRow[]): PackedChunk | null {
  const { rows: before, first, last } = stored;
  const [next] = rows;
  if (next === undefined || before + rows.length > CHUNK_ROWS) return null;
  if (next.request_at < last || spanOf(next.request_at) !== spanOf(first)) return null;
  const chunk = new Chunk(stored);
  const all = [...Array.from({ length: before }, (_, row) => chunk.row(row)), ...rows];
  const columns = fittingColumns(all);
  if (columns === null) return null;
  return packed(all, columns, stored, { replaces: versionstamp, added: countRows(rows) });
}

/** One chunk, or several when the rows are too many or too long for one value. */
function packSpan(rows: readonly LogRow[], names: ChunkNames): PackedChunk[] {
  if (rows.length === 0) return [];
  const columns = rows.length > CHUNK_ROWS ? null : fittingColumns(rows);
  if (columns !== null) {
    const name = { writer: names.writer, number: names.next() };
    return [packed(rows, columns, name, { replaces: null, added: countRows(rows) })];
  }
  const half = Math.ceil(rows.length / 2);
  return [...packSpan(rows.slice(0, half), names), ...packSpan(rows.slice(half), names)];
}

function packed(
  rows: readonly LogRow[],
  columns: Uint8Array<ArrayBuffer>,
  { writer, number }: Pick<StoredChunk, "writer" | "number">,
  { replaces, added }: Pick<PackedChunk, "replaces" | "added">,
): PackedChunk {
  const stored = {
    writer,
    number,
    rows: rows.length,
    first: rows.at(0)?.request_at ?? 0,
    last: rows.at(-1)?.request_at ?? 0,
    classes: replaces === null ? added.classes : countRows(rows).classes,
    columns,
  };
  return { stored, replaces, added };
}

function countRows(rows: readonly LogRow[]): RowCounts {
  const classes = noCounts();
  const backends = new Map<string, ClassCounts>();
  for (const row of rows) {
    const backend = (row.api_backend_id ?? "").slice(0, TEXT_MAX);
    const counts = backends.get(backend) ?? noCounts();
    backends.set(backend, counts);
    addCount(counts, classOf(row.response_status), 1);
  }
  for (const counts of backends.values()) addCounts(classes, counts);
  return { rows: rows.length, classes, backends };
}

/** The columns of `rows`, or null when they do not fit; a single row is shortened until it does. */
function fittingColumns(rows: readonly LogRow[]): Uint8Array<ArrayBuffer> | null {
  for (let shortening = 1;; shortening *= 2) {
    const columns = encodeColumns(rows, (value, field) => cellToKeep(value, field, shortening));
    if (columns.length <= VALUE_MAX_BYTES - FACTS_MAX_BYTES) return columns;
    if (rows.length > 1) return null;
  }
}

/** Characters that are kept of a field; what callers send may be of any length. */
const TEXT_MAX = 200;
const TEXT_MAX_OF: Partial<Record<LogField, number>> = {
  request_path: 4000,
  request_url_query: 4000,
  request_user_agent: 400,
};

function cellToKeep(value: Cell, field: LogField, shortening: number): Cell {
  if (typeof value !== "string") return value;
  const max = (TEXT_MAX_OF[field] ?? TEXT_MAX) / shortening;
  return value.length > max ? value.slice(0, max) : value;
}
