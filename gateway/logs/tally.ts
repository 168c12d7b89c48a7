/**
 * How many calls there were, by status class, without looking at rows: whole
 * hours and minutes are read from counters, the ends of a range from what
 * chunks say of themselves. Only a chunk that lies across an end is opened.
 */
import { logKeys } from "../store/keys.ts";
import type { Chunk } from "./chunk.ts";
import { cellOf } from "./column.ts";
import { timeOf } from "./position.ts";
import { chunksIn, rowsIn } from "./scan.ts";
import { classOf, noCounts, sumOf } from "./status_class.ts";
import { HOUR, MINUTE, stepAfter, stepBefore, type TimeRange } from "./time_steps.ts";

/** Called with a time and how many calls of a class there were from it on. */
export type Count = (time: number, statusClass: number, calls: number) => void;

const counterSteps = [HOUR, MINUTE];

/** Every call in the range. */
export async function totalIn(kv: Deno.Kv, range: TimeRange): Promise<number> {
  const totals = noCounts();
  await tally(kv, range, HOUR, (_, statusClass, calls) => {
    totals[statusClass] = (totals[statusClass] ?? 0) + calls;
  });
  return sumOf(totals);
}

/**
 * Counts every call in the range once. Calls that are counted together lie
 * between the same two multiples of `step` (milliseconds).
 */
export function tally(kv: Deno.Kv, range: TimeRange, step: number, count: Count): Promise<void> {
  return tallyBy(counterSteps.filter((one) => step % one === 0), kv, range, step, count);
}

async function tallyBy(
  counters: readonly number[],
  kv: Deno.Kv,
  range: TimeRange,
  step: number,
  count: Count,
): Promise<void> {
  if (range.start >= range.end) return;
  const [counter, ...finer] = counters;
  if (counter === undefined) return await tallyChunks(kv, range, step, count);
  const start = stepAfter(range.start, counter);
  const end = stepBefore(range.end, counter);
  if (start >= end) return await tallyBy(finer, kv, range, step, count);
  await tallyBy(finer, kv, { start: range.start, end: start }, step, count);
  await tallyCounters(counter, kv, { start, end }, count);
  await tallyBy(finer, kv, { start: end, end: range.end }, step, count);
}

async function tallyCounters(
  counter: number,
  kv: Deno.Kv,
  { start, end }: TimeRange,
  count: Count,
): Promise<void> {
  const selector = {
    start: logKeys.countsFrom(counter, start),
    end: logKeys.countsFrom(counter, end),
  };
  for await (const { key, value } of kv.list<Deno.KvU64>(selector, { batchSize: 1000 })) {
    const [time, statusClass] = key.slice(-2);
    count(Number(time), Number(statusClass), Number(value.value));
  }
}

async function tallyChunks(
  kv: Deno.Kv,
  range: TimeRange,
  step: number,
  count: Count,
): Promise<void> {
  for await (const chunk of chunksIn(kv, range)) {
    const { first, last, classes } = chunk.facts;
    const inRange = first >= range.start && last < range.end;
    if (inRange && stepBefore(first, step) === stepBefore(last, step)) {
      for (const [statusClass, calls] of classes.entries()) count(first, statusClass, calls);
    } else {
      for (const row of rowsIn(chunk, range)) countRow(chunk, row, count);
    }
  }
}

/** Counts a single row. */
export function countRow(chunk: Chunk, row: number, count: Count): void {
  const status = Number(cellOf(chunk.column("response_status"), row));
  count(timeOf(chunk, row), classOf(status), 1);
}
