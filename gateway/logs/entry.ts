/** A row of the log as callers get it: times in ISO 8601, the URL in one piece. */
import type { LogRow } from "../records/log_row.ts";
import type { Chunk } from "./chunk.ts";

export interface LogEntry extends Omit<LogRow, "request_at"> {
  /** When the call was answered, ISO 8601 in UTC. */
  readonly request_at: string;
  /** Scheme, host, path and query, without the API key. */
  readonly request_url: string;
}

export function entryAt(chunk: Chunk, position: number): LogEntry {
  const row = chunk.row(position);
  const { request_scheme, request_host, request_port, request_path, request_url_query } = row;
  const port = request_port === undefined ? "" : `:${request_port}`;
  const query = request_url_query === undefined ? "" : `?${request_url_query}`;
  return {
    ...row,
    request_at: new Date(row.request_at).toISOString(),
    request_url: `${request_scheme}://${request_host}${port}${request_path}${query}`,
  };
}
