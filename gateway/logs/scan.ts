/**
 * Reads the log from its newest row to its oldest. Chunks stream through: what
 * is held in memory is what one span of time has, however much is read.
 */
import { setImmediate } from "node:timers/promises";
import { logKeys } from "../store/keys.ts";
import { Chunk, CHUNK_SPAN, spanOf, type StoredChunk } from "./chunk.ts";
import { selectRows } from "./column.ts";
import type { Filter } from "./filter.ts";
import { type Match, NewestFirst } from "./newest_first.ts";
import { timeOf } from "./position.ts";
import { END_OF_TIME, type TimeRange } from "./time_steps.ts";

/**
 * Chunks read at a time: at most 2 MiB, and about a millisecond of work before
 * requests get their turn again.
 */
const BATCH_CHUNKS = 32;

/** The chunks that may have rows in the range, by the time of their last row, newest first. */
export async function* chunksIn(kv: Deno.Kv, range: TimeRange): AsyncGenerator<Chunk> {
  // They lie by the time of their first row, so within a span the order is yet to be made.
  let inSpan: StoredChunk[] = [];
  for await (const stored of storedChunksIn(kv, range)) {
    const [previous] = inSpan;
    if (previous !== undefined && spanOf(previous.first) !== spanOf(stored.first)) {
      yield* byLastRow(inSpan);
      inSpan = [];
    }
    inSpan.push(stored);
  }
  yield* byLastRow(inSpan);
}

async function* storedChunksIn(
  kv: Deno.Kv,
  { start, end }: TimeRange,
): AsyncGenerator<StoredChunk> {
  const selector = { start: logKeys.chunksFrom(spanOf(start)), end: logKeys.chunksFrom(end) };
  const entries = kv.list<StoredChunk>(selector, { reverse: true, batchSize: BATCH_CHUNKS });
  for await (const { value } of entries) yield value;
}

async function* byLastRow(chunks: readonly StoredChunk[]): AsyncGenerator<Chunk> {
  const inOrder = chunks.toSorted((a, b) => b.last - a.last);
  for (const [index, stored] of inOrder.entries()) {
    // All are in memory by now: without a pause, requests would wait for the whole span.
    if (index % BATCH_CHUNKS === BATCH_CHUNKS - 1) await setImmediate();
    yield new Chunk(stored);
  }
}

/** The stretch of time that every row lies in, in whole spans; null when there is none. */
export async function extentOf(kv: Deno.Kv): Promise<TimeRange | null> {
  const oldest = await firstChunk(kv, false);
  const newest = await firstChunk(kv, true);
  if (oldest === null || newest === null) return null;
  return { start: spanOf(oldest.first), end: spanOf(newest.first) + CHUNK_SPAN };
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
