/**
 * The geometry of the chart of calls: a bar for each stretch of time, a segment in it
 * for each class of status. Everything is in percent of the chart, so that it is as
 * wide as its page without a script that measures.
 */
import type { Histogram, HistogramBucket } from "@/gateway/logs/call_log.ts";
import { type StatusClass, statusClasses } from "@/gateway/logs/status_class.ts";

export interface Segment {
  readonly statusClass: StatusClass;
  /** From the top. */
  readonly y: number;
  readonly height: number;
}

export interface Bar {
  /** From the left; the bar has a little room around it. */
  readonly x: number;
  readonly width: number;
  readonly segments: readonly Segment[];
}

export interface Chart {
  readonly bars: readonly Bar[];
  /** Calls at the top of the chart: a round number. */
  readonly top: number;
  /** Labels below it, by their place from the left. */
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
}

/** Part of a bar's place that stays free. */
const GAP = 0.2;
const TICKS_MAX = 8;
/** Percent of the width from which on a label would not fit. */
const LABEL_ROOM = 94;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The distances that labels may have, in milliseconds. */
const tickSteps = [
  ...[1, 5, 10, 30].map((seconds) => seconds * SECOND),
  ...[1, 5, 10, 30].map((minutes) => minutes * MINUTE),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 5, 10, 30, 100, 365].map((days) => days * DAY),
];

export function chartOf({ buckets }: Histogram): Chart {
  const top = roundUp(Math.max(...buckets.map(callsIn), 1));
  const step = 100 / Math.max(buckets.length, 1);
  return {
    top,
    bars: buckets.map((bucket, index) => ({
      x: round((index + GAP / 2) * step),
      width: round(step * (1 - GAP)),
      segments: segmentsOf(bucket, top),
    })),
    ticks: ticksOf(buckets, step),
  };
}

export function callsIn({ counts }: HistogramBucket): number {
  return statusClasses.reduce((sum, name) => sum + counts[name], 0);
}

/** Stacked upwards, the best answers at the foot. */
function segmentsOf({ counts }: HistogramBucket, top: number): Segment[] {
  let y = 100;
  return statusClasses.flatMap((statusClass) => {
    const height = (counts[statusClass] / top) * 100;
    y -= height;
    return height === 0 ? [] : { statusClass, y: round(y), height: round(height) };
  });
}

/** The least of 1, 2, 4, 5, 10, 20, 40 … that is not below `count`. */
export function roundUp(count: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(count));
  const step = [1, 2, 4, 5, 10].find((it) => it * magnitude >= count) ?? 10;
  return step * magnitude;
}

/** At round times: every hour, every six, every day … */
function ticksOf(buckets: readonly HistogramBucket[], step: number): Chart["ticks"] {
  const length = lengthOf(buckets);
  const every = tickSteps.find((it) => it * TICKS_MAX >= length) ?? Infinity;
  return buckets.flatMap(({ start_at }, index) => {
    const x = round(index * step);
    const fits = Date.parse(start_at) % every === 0 && x <= LABEL_ROOM;
    return fits ? { x, label: tickLabel(start_at, length) } : [];
  });
}

function lengthOf(buckets: readonly HistogramBucket[]): number {
  const first = buckets[0];
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return 0;
  return Date.parse(last.end_at) - Date.parse(first.start_at);
}

function round(percent: number): number {
  return Math.round(percent * 1000) / 1000;
}

/** As much of a time as tells it apart on a chart of that length. */
function tickLabel(at: string, length: number): string {
  const [date = "", time = ""] = at.split(/[TZ]/);
  if (length > TICKS_MAX * 12 * HOUR) return date.slice(5);
  if (length > 1.5 * DAY) return `${date.slice(5)} ${time.slice(0, 5)}`;
  return length < TICKS_MAX * MINUTE ? time.slice(0, 8) : time.slice(0, 5);
}

const classWords: Record<StatusClass, string> = {
  "1xx": "informational",
  "2xx": "successful",
  "3xx": "redirected",
  "4xx": "client errors",
  "5xx": "server errors",
};

export interface LegendItem {
  readonly statusClass: StatusClass;
  readonly words: string;
  readonly calls: number;
}

/** The classes that occur, with how many calls each has. */
export function legendOf({ buckets }: Histogram): LegendItem[] {
  return statusClasses.map((statusClass) => ({
    statusClass,
    words: classWords[statusClass],
    calls: buckets.reduce((sum, { counts }) => sum + counts[statusClass], 0),
  })).filter(({ calls }) => calls > 0);
}

/** `2026-03-01 12:00–12:15 UTC: 3 calls (2 × 2xx, 1 × 4xx)` */
export function bucketWords(bucket: HistogramBucket): string {
  const calls = callsIn(bucket);
  const parts = statusClasses.filter((name) => bucket.counts[name] > 0)
    .map((name) => `${bucket.counts[name].toLocaleString("en")} × ${name}`);
  const count = `${calls.toLocaleString("en")} ${calls === 1 ? "call" : "calls"}`;
  const detail = parts.length === 0 ? "" : ` (${parts.join(", ")})`;
  return `${stretchWords(bucket)}: ${count}${detail}`;
}

/** `2026-03-01 12:00–12:15 UTC`, with seconds or the second date where they are needed. */
export function stretchWords({ start_at, end_at }: HistogramBucket): string {
  const [startDate, startTime] = dateAndTime(start_at);
  const [endDate, endTime] = dateAndTime(end_at);
  const end = startDate === endDate ? endTime : `${endDate} ${endTime}`;
  return `${startDate} ${startTime}–${end} UTC`;
}

function dateAndTime(at: string): [date: string, time: string] {
  const [date = "", time = ""] = at.split(/[TZ]/);
  return [date, time.replace(/\.\d+$/, "").replace(/:00$/, "")];
}
