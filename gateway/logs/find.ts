/**
 * Finds one call by its request id. An index would cost a write a request, so
 * the log is read from its newest row on, at a few microseconds a hundred rows;
 * whoever knows when the call was made makes it a single look.
 */
import { selectRows } from "./column.ts";
import { entryAt, type LogEntry } from "./entry.ts";
import { chunksIn, rowsIn } from "./scan.ts";
import { END_OF_TIME, type TimeRange } from "./time_steps.ts";

/**
 * The newest row with that request id, or null. `near` is the time of the row in
 * milliseconds, if known: it is looked for there first, and only then everywhere.
 */
export async function findRow(
  kv: Deno.Kv,
  requestId: string,
  near?: number,
): Promise<LogEntry | null> {
  const everywhere = { start: 0, end: END_OF_TIME };
  const nearby = near === undefined
    ? null
    : await findIn(kv, requestId, { start: near, end: near + 1 });
  return nearby ?? await findIn(kv, requestId, everywhere);
}

async function findIn(kv: Deno.Kv, requestId: string, range: TimeRange): Promise<LogEntry | null> {
  for await (const chunk of chunksIn(kv, range)) {
    if (!chunk.mayHold(requestId)) continue;
    const rows = selectRows(
      chunk.column("request_id"),
      rowsIn(chunk, range),
      (cell) => cell === requestId,
    );
    const newest = rows.at(-1);
    if (newest !== undefined) return entryAt(chunk, newest);
  }
  return null;
}
