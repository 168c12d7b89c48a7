/**
 * Reads the log from its newest row to its oldest. Chunks stream through: what
 * is held in memory is one batch of them, however much is read.
 */
import { logKeys } from "../store/keys.ts";
import { Chunk, CHUNK_SPAN, type StoredChunk } from "./chunk.ts";
import { selectRows } from "./column.ts";
import type { Filter } from "./filter.ts";
import { type Match, NewestFirst } from "./newest_first.ts";
import { timeOf } from "./position.ts";
import { END_OF_TIME, stepAfter, stepBefore, type TimeRange } from "./time_steps.ts";

/**
 * Chunks read at a time: at most 2 MiB, and about a millisecond of work before
 * requests get their turn again.
 */
const BATCH_CHUNKS = 32;

/** The chunks that may have rows in the range, by the time of their last row, newest first. */
export async function* chunksIn(kv: Deno.Kv, { start, end }: TimeRange): AsyncGenerator<Chunk> {
  const selector = {
    start: logKeys.chunksFrom(start),
    // No chunk crosses a multiple of its span, so later ones begin at `end` or after.
    end: logKeys.chunksFrom(stepAfter(end, CHUNK_SPAN)),
  };
  const entries = kv.list<StoredChunk>(selector, { reverse: true, batchSize: BATCH_CHUNKS });
  for await (const { value } of entries) yield new Chunk(value);
}

/** The stretch of time that every row lies in, in whole spans; null when there is none. */
export async function extentOf(kv: Deno.Kv): Promise<TimeRange | null> {
  const oldest = await firstChunk(kv, false);
  const newest = await firstChunk(kv, true);
  if (oldest === null || newest === null) return null;
  return {
    start: stepBefore(oldest.first, CHUNK_SPAN),
    end: stepBefore(newest.last, CHUNK_SPAN) + CHUNK_SPAN,
  };
}

async function firstChunk(kv: Deno.Kv, reverse: boolean): Promise<StoredChunk | null> {
  const selector = { start: logKeys.chunksFrom(0), end: logKeys.chunksFrom(END_OF_TIME) };
  for await (const { value } of kv.list<StoredChunk>(selector, { reverse, limit: 1 })) return value;
  return null;
}

/** The rows in the range that pass every filter, newest first, in batches of at least one. */
export async function* matchesIn(
  kv: Deno.Kv,
  range: TimeRange,
  filters: readonly Filter[],
): AsyncGenerator<readonly Match[]> {
  const order = new NewestFirst();
  for await (const chunk of chunksIn(kv, range)) {
    const ready = order.takeNewerThan(chunk.facts.last);
    if (ready.length > 0) yield ready;
    const rows = selectAll(chunk, rowsIn(chunk, range), filters);
    if (rows.length > 0) order.add(chunk, rows);
  }
  const rest = order.takeNewerThan(-Infinity);
  if (rest.length > 0) yield rest;
}

/** The chunk's rows in the range, in its order. */
export function rowsIn(chunk: Chunk, { start, end }: TimeRange): readonly number[] {
  const { rows, first, last } = chunk.facts;
  const all = Array.from({ length: rows }, (_, row) => row);
  if (first >= start && last < end) return all;
  return all.filter((row) => {
    const time = timeOf(chunk, row);
    return time >= start && time < end;
  });
}

function selectAll(
  chunk: Chunk,
  rows: readonly number[],
  filters: readonly Filter[],
): readonly number[] {
  let selected = rows;
  for (const { field, test } of filters) {
    if (selected.length === 0) break;
    selected = selectRows(chunk.column(field), selected, test);
  }
  return selected;
}
