/** How many calls the cache has answered, counted by each isolate in its own cell. */
import { type CacheMemory, COUNTER_CELLS, COUNTERS } from "./memory.ts";

export interface Counts {
  /** Calls answered out of the cache. */
  readonly hits: number;
  /** Calls that it could have answered, and that backends did. */
  readonly misses: number;
}

export class Counters {
  readonly #cells: Float64Array;
  readonly #own: number;

  constructor({ buffer }: CacheMemory, isolate: number) {
    this.#cells = new Float64Array(buffer, COUNTERS * 4, COUNTER_CELLS * 2);
    this.#own = isolate % COUNTER_CELLS * 2;
  }

  hit(): void {
    this.#add(this.#own);
  }

  miss(): void {
    this.#add(this.#own + 1);
  }

  /** Those of all isolates. */
  get counts(): Counts {
    let hits = 0;
    let misses = 0;
    for (let cell = 0; cell < this.#cells.length; cell += 2) {
      hits += this.#cells[cell] ?? 0;
      misses += this.#cells[cell + 1] ?? 0;
    }
    return { hits, misses };
  }

  #add(at: number): void {
    this.#cells[at] = (this.#cells[at] ?? 0) + 1;
  }
}
