/** The days and months that quotas are for, in UTC. Times are ms since the epoch. */
import type { Quota } from "../records/quotas.ts";

export type Period = Quota["period"];

const DAY = 86_400_000;

/** When the day or month began that a moment lies in. */
export function periodStart(period: Period, now: number): number {
  if (period === "day") return Math.floor(now / DAY) * DAY;
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** When it ends: the first moment of the next one. */
export function periodEnd(period: Period, now: number): number {
  if (period === "day") return (Math.floor(now / DAY) + 1) * DAY;
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
