/** Counts as a row of small bars: one SVG path, and the same in words. */

/**
 * The path of the bars, in a box of `width` and `height`: the highest fills it, one
 * that is not zero is at least a unit high.
 */
export function sparklinePath(counts: readonly number[], width: number, height: number): string {
  const most = Math.max(...counts, 1);
  const step = width / counts.length;
  const bar = round(step * 0.75);
  return counts.flatMap((count, index) => {
    if (count === 0) return [];
    const high = round(Math.max(1, (count / most) * height));
    return `M${round(index * step)} ${round(height - high)}h${bar}v${high}h-${bar}z`;
  }).join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** `12 calls in the last 24 hours, at most 7 in one`; `counts` has one an hour. */
export function sparklineWords(counts: readonly number[]): string {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const within = `in the last ${counts.length} hours`;
  if (total === 0) return `no calls ${within}`;
  const most = Math.max(...counts).toLocaleString("en");
  return `${total.toLocaleString("en")} ${
    total === 1 ? "call" : "calls"
  } ${within}, at most ${most} in one`;
}
