/** What a gateway used of its core during a measurement, and what others took of it. */
import { coresMicros, cpuMicros } from "./cpu.ts";

export interface Usage {
  /** User and system time of the gateway's processes, in microseconds. */
  readonly micros: number;
  /**
   * The part of the gateway's core that others took meanwhile, from 0 to 1. Null where the
   * core was not the gateway's alone.
   */
  readonly disturbed: number | null;
}

/** Begins to measure the processes of `pid`; `own` are the cores that are theirs alone, if any. */
export function beginUsage(pid: number, own: string | null): () => Usage {
  const begin = performance.now();
  const before = cpuMicros(pid);
  const coresBefore = own === null ? 0 : coresMicros(own);
  return () => {
    const micros = cpuMicros(pid) - before;
    if (own === null) return { micros, disturbed: null };
    const elapsed = (performance.now() - begin) * 1000;
    return { micros, disturbed: Math.max(0, (coresMicros(own) - coresBefore - micros) / elapsed) };
  };
}

/** More of the core than this taken by others makes a measurement worth repeating. */
const DISTURBED = 0.05;
const TRIES = 3;

/** Measures again while others disturb; of all tries, the one that was disturbed least counts. */
export async function calmest<T extends Pick<Usage, "disturbed">>(
  measure: () => Promise<T>,
): Promise<T> {
  let best = await measure();
  for (let tries = 1; tries < TRIES && (best.disturbed ?? 0) > DISTURBED; tries++) {
    const next = await measure();
    if ((next.disturbed ?? 0) < (best.disturbed ?? 0)) best = next;
  }
  return best;
}
