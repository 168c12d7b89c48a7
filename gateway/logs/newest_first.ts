/**
 * Puts rows of several chunks into one order. Isolates write side by side, so
 * the stretches of time that their chunks hold overlap; a row may be given out
 * only when no chunk still to come can hold a newer one.
 */
import type { Chunk } from "./chunk.ts";
import { comparePositions, type Position, positionOf } from "./position.ts";

/** A row where it lies. */
export interface Match {
  readonly chunk: Chunk;
  readonly row: number;
}

/** The rows of a chunk that are still to be given out, the newest last. */
interface Remainder {
  readonly chunk: Chunk;
  readonly rows: readonly number[];
  left: number;
  newest: Position;
}

export class NewestFirst {
  /** As many as overlap: one an isolate, or few more. */
  #remainders: Remainder[] = [];

  /** `rows` are in the chunk's order, at least one. */
  add(chunk: Chunk, rows: readonly number[]): void {
    const newest = positionOf(chunk, rows.at(-1) ?? 0);
    this.#remainders.push({ chunk, rows, left: rows.length, newest });
  }

  /** Gives out, newest first, the rows that are newer than `time` (milliseconds). */
  takeNewerThan(time: number): Match[] {
    const taken: Match[] = [];
    for (;;) {
      const next = this.#newest();
      if (next === undefined || next.newest.time <= time) return taken;
      this.#take(next, taken, time);
    }
  }

  #newest(): Remainder | undefined {
    let newest = this.#remainders[0];
    for (const remainder of this.#remainders) {
      if (newest !== undefined && comparePositions(remainder.newest, newest.newest) > 0) {
        newest = remainder;
      }
    }
    return newest;
  }

  /** Takes one row, or the whole remainder when it stands alone and is newer than `time`. */
  #take(remainder: Remainder, taken: Match[], time: number): void {
    const { chunk, rows } = remainder;
    const whole = this.#remainders.length === 1 && chunk.facts.first > time;
    for (const end = whole ? 0 : remainder.left - 1; remainder.left > end;) {
      taken.push({ chunk, row: rows[--remainder.left] ?? 0 });
    }
    const next = rows[remainder.left - 1];
    if (next === undefined) this.#remainders = this.#remainders.filter((one) => one !== remainder);
    else remainder.newest = positionOf(chunk, next);
  }
}
