/**
 * Answers counted by the first digit of their status, which is how charts and
 * totals show them.
 */

export const statusClasses = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;

export type StatusClass = typeof statusClasses[number];

/** How many answers of each class, in the order of `statusClasses`. */
export type ClassCounts = number[];

/** Position of a status in `ClassCounts`; what is outside 100–599 goes to the nearest class. */
export function classOf(status: number): number {
  return Math.min(Math.max(Math.floor(status / 100), 1), statusClasses.length) - 1;
}

export function noCounts(): ClassCounts {
  return statusClasses.map(() => 0);
}

export function addCount(to: ClassCounts, statusClass: number, count: number): void {
  to[statusClass] = (to[statusClass] ?? 0) + count;
}

export function addCounts(to: ClassCounts, counts: readonly number[]): void {
  for (const [statusClass, count] of counts.entries()) addCount(to, statusClass, count);
}

export function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
