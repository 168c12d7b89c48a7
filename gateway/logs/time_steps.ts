/** The lengths of time that the log is cut and counted by, in milliseconds. */

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The latest moment a `Date` can hold. */
export const END_OF_TIME = 8.64e15;

/** From `start`, inclusive, to `end`, exclusive; milliseconds since the epoch. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

/** The last multiple of `step` that is not after `time`. */
export function stepBefore(time: number, step: number): number {
  return Math.floor(time / step) * step;
}

/** The first multiple of `step` that is not before `time`. */
export function stepAfter(time: number, step: number): number {
  return Math.ceil(time / step) * step;
}
