/** The few statistics the bench needs. */

/** The middle one, or the mean of the two in the middle. Throws when there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  if (low === undefined || high === undefined) throw new Error("there is no median of nothing");
  return (low + high) / 2;
}

/** The least value that `share` (0 to 1) of all values do not exceed. Throws when there is none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error("there is no percentile of nothing");
  return value;
}

/**
 * How many times `values` is of `bases`, measured in the same rounds: the median of the
 * rounds' ratios, so that a machine that was slower for a while cancels out.
 */
export function medianRatio(values: readonly number[], bases: readonly number[]): number {
  return median(values.map((value, round) => value / (bases[round] ?? NaN)));
}
