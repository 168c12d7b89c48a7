/**
 * API Umbrella's estimate of how many calls lie in the last `duration` (§2.6): those
 * of the current period and, of the previous one, the part that still overlaps.
 * Periods begin at whole multiples of the duration since the epoch.
 */

/** The calls of one counter as they stand at one moment. */
export interface Counted {
  /** Calls in the current period. */
  readonly current: number;
  /** Calls in the period before. */
  readonly previous: number;
  /** How far into the current period the moment is, in ms. */
  readonly elapsed: number;
}

/** Calls in the last `duration` (ms); numbers as in `Counted`, apart for the hot path. */
export function estimate(
  current: number,
  previous: number,
  elapsed: number,
  duration: number,
): number {
  return current + Math.floor(previous * (duration - elapsed) / duration);
}

/**
 * Milliseconds until the estimate is at most `calls`, when nobody calls meanwhile;
 * `calls` is less than the estimate and not negative.
 */
export function timeUntil(calls: number, counted: Counted, duration: number): number {
  const { current, previous, elapsed } = counted;
  // In this period the previous one's part shrinks; in the next, this one's does.
  return current <= calls
    ? fadedTo(calls - current, previous, duration) - elapsed
    : duration - elapsed + fadedTo(calls, current, duration);
}

/** How far into the next period at most `calls` of a period's `count` are left, in ms. */
function fadedTo(calls: number, count: number, duration: number): number {
  return Math.floor(duration - duration * (calls + 1) / count) + 1;
}
