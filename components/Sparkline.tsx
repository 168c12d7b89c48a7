/** Counts of the last hours as small bars, with the same in words. */
import { sparklinePath, sparklineWords } from "./sparkline_path.ts";

const WIDTH = 96;
const HEIGHT = 20;

/** `counts` has one an hour, oldest first. */
export function Sparkline({ counts }: { counts: readonly number[] }) {
  return (
    <svg
      class="sparkline"
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={sparklineWords(counts)}
    >
      <path class="sparkline-base" d={`M0 ${HEIGHT - 0.5}h${WIDTH}`} />
      <path d={sparklinePath(counts, WIDTH, HEIGHT - 1)} />
    </svg>
  );
}
