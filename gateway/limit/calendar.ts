/** The days and months that quotas are for, in UTC. Times are ms since the epoch. */
import type { Quota } from "../records/quotas.ts";

export type Period = Quota["period"];

/** A day or month: from its first moment to that of the next one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const DAY = 86_400_000;

/** The month that was asked for last, which nearly every call lies in. */
let lastMonth: Span = { start: 0, end: 0 };

/** The day or month that a moment lies in. */
export function spanOf(period: Period, now: number): Span {
  if (period === "day") {
    const start = Math.floor(now / DAY) * DAY;
    return { start, end: start + DAY };
  }
  if (now < lastMonth.start || now >= lastMonth.end) lastMonth = monthOf(now);
  return lastMonth;
}

function monthOf(now: number): Span {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}
