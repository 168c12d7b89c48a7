/**
 * The log as CSV (RFC 4180) in UTF-8: a header, then every row that was asked
 * for, newest first. Rows are read as fast as they are taken and no faster.
 */
import { logFields } from "../records/log_row.ts";
import { entryAt, type LogEntry } from "./entry.ts";
import type { Match } from "./newest_first.ts";

const columns = [...logFields, "request_url"] as const satisfies readonly (keyof LogEntry)[];

const encoder = new TextEncoder();

/** Takes batches of rows in the order they are to have; gives them up when it is cancelled. */
export function csvOf(
  batches: AsyncIterable<readonly Match[]>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return ReadableStream.from(encodedLines(batches));
}

async function* encodedLines(
  batches: AsyncIterable<readonly Match[]>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield encoder.encode(line(columns));
  for await (const matches of batches) {
    const lines = matches.map(({ chunk, row }) => lineOf(entryAt(chunk, row)));
    yield encoder.encode(lines.join(""));
  }
}

function lineOf(entry: LogEntry): string {
  return line(columns.map((column) => String(entry[column] ?? "")));
}

function line(cells: readonly string[]): string {
  return cells.map(csvCell).join(",") + "\r\n";
}

/**
 * A spreadsheet takes a cell that begins with one of these for a formula, and
 * much of a row is what a stranger sent; a leading apostrophe makes it text.
 */
const FORMULA = /^[=+\-@\t\r]/;

export function csvCell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
