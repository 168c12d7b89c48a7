/** The figures of the cache in words. */
import type { CacheFigures } from "@/gateway/cache/administration.ts";

const UNITS = ["bytes", "KiB", "MiB", "GiB"] as const;

/** `1536` as `1.5 KiB`. */
export function byteSize(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1024 && unit < UNITS.length - 1; unit++) size /= 1024;
  return `${size.toLocaleString("en", { maximumFractionDigits: 1 })} ${UNITS[unit]}`;
}

/** How often the cache could answer in a backend's place. */
export function hitRate({ hits, misses }: Pick<CacheFigures, "hits" | "misses">): string {
  const calls = hits + misses;
  if (calls === 0) return "No call yet that it could have answered.";
  const share = Math.floor(hits / calls * 100);
  return `${hits.toLocaleString("en")} of ${calls.toLocaleString("en")} calls that could be ` +
    `(${share} %), since the start.`;
}

/** What a purge has done: `3 answers were given up: those below /shop/.` */
export function purgedWords(purged: number, what: string): string {
  const count = purged === 0
    ? "There was no answer to give up"
    : purged === 1
    ? "1 answer was given up"
    : `${purged.toLocaleString("en")} answers were given up`;
  return `${count}: ${what}.`;
}
