/** The bars of a chart: calls by status class, over equal stretches of a range. */
import type { Criteria } from "./criteria.ts";
import { extentOf, matchesIn } from "./scan.ts";
import { addCount, type ClassCounts, noCounts, type StatusClass } from "./status_class.ts";
import { type Count, countRow, tally } from "./tally.ts";
import { DAY, HOUR, MINUTE, SECOND, stepBefore, type TimeRange } from "./time_steps.ts";

export interface Histogram {
  /** The range that is shown, ISO 8601; without bounds in the request, that of the log. */
  readonly start_at: string;
  readonly end_at: string;
  /** Seconds a bar stands for. */
  readonly interval_seconds: number;
  /** In the order of time, without gaps; the first and last may reach beyond the range. */
  readonly buckets: readonly HistogramBucket[];
}

export interface HistogramBucket {
  /** ISO 8601. */
  readonly start_at: string;
  readonly end_at: string;
  readonly counts: Readonly<Record<StatusClass, number>>;
}

const BUCKETS_MAX = 100;
const intervals = [
  ...[1, 5, 10, 30].map((seconds) => seconds * SECOND),
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR),
  DAY,
];

/** `now` is the end of a range that has none, in milliseconds since the epoch. */
export async function histogramOf(
  kv: Deno.Kv,
  criteria: Criteria,
  now: number,
): Promise<Histogram> {
  const range = await boundedRange(kv, criteria, now);
  const interval = intervalFor(range);
  const buckets = new Map<number, ClassCounts>();
  for (let start = stepBefore(range.start, interval); start < range.end; start += interval) {
    buckets.set(start, noCounts());
  }
  await eachCount(kv, range, interval, criteria, (time, statusClass, calls) => {
    const counts = buckets.get(stepBefore(time, interval));
    if (counts !== undefined) addCount(counts, statusClass, calls);
  });
  return {
    start_at: isoTime(range.start),
    end_at: isoTime(range.end),
    interval_seconds: interval / SECOND,
    buckets: [...buckets].map(([start, counts]) => ({
      start_at: isoTime(start),
      end_at: isoTime(start + interval),
      counts: byName(counts),
    })),
  };
}

/** Counts what the criteria ask for, by way of the counters when that is everything. */
async function eachCount(
  kv: Deno.Kv,
  range: TimeRange,
  interval: number,
  { filters }: Criteria,
  count: Count,
): Promise<void> {
  if (filters.length === 0) return await tally(kv, range, interval, count);
  for await (const matches of matchesIn(kv, range, filters)) {
    for (const { chunk, row } of matches) countRow(chunk, row, count);
  }
}

/** The range asked for; where it has no bound, the log's. */
async function boundedRange(kv: Deno.Kv, criteria: Criteria, now: number): Promise<TimeRange> {
  const { startAt, endAt } = criteria;
  if (startAt !== null && endAt !== null) return { start: startAt, end: endAt };
  const extent = await extentOf(kv);
  const end = endAt ?? Math.max(now, extent?.end ?? now, startAt ?? now);
  return { start: startAt ?? Math.min(extent?.start ?? end, end), end };
}

/** The shortest interval that does not make too many bars. */
function intervalFor({ start, end }: TimeRange): number {
  const shortest = (end - start) / BUCKETS_MAX;
  return intervals.find((interval) => interval >= shortest) ?? Math.ceil(shortest / DAY) * DAY;
}

function byName(counts: ClassCounts): Record<StatusClass, number> {
  const [informational = 0, success = 0, redirection = 0, clientError = 0, serverError = 0] =
    counts;
  return {
    "1xx": informational,
    "2xx": success,
    "3xx": redirection,
    "4xx": clientError,
    "5xx": serverError,
  };
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
