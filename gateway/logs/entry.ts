/** A row of the log as callers get it: times in ISO 8601, the URL in one piece. */
import { logFields, type LogRow } from "../records/log_row.ts";
import type { Chunk } from "./chunk.ts";
import { cellOf } from "./column.ts";

export interface LogEntry extends Omit<LogRow, "request_at"> {
  /** When the call was answered, ISO 8601 in UTC. */
  readonly request_at: string;
  /** Scheme, host, path and query, without the API key. */
  readonly request_url: string;
}

export function entryAt(chunk: Chunk, row: number): LogEntry {
  return entryOf(rowAt(chunk, row));
}

/** The row as it was recorded. */
function rowAt(chunk: Chunk, row: number): LogRow {
  const cells = logFields.map((field) => [field, cellOf(chunk.column(field), row)] as const);
  // What a chunk holds was a LogRow when it was packed; a field it lacked is null.
  return Object.fromEntries(cells.filter(([, cell]) => cell !== null)) as unknown as LogRow;
}

function entryOf(row: LogRow): LogEntry {
  const { request_scheme, request_host, request_path, request_url_query } = row;
  const query = request_url_query === undefined ? "" : `?${request_url_query}`;
  return {
    ...row,
    request_at: new Date(row.request_at).toISOString(),
    request_url: `${request_scheme}://${request_host}${request_path}${query}`,
  };
}
