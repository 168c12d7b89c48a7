/**
 * Time-outs for thousands of sockets on one coarse timer. A deadline is a number
 * in a field of whoever is waiting, so moving it with every read costs nothing;
 * the sweep looks at all of them now and then, and never too early.
 */

/** Something that waits and must not wait for ever. */
export interface Waiting {
  /** Gives up if its deadline has passed at `now` (ms of the watch's clock). */
  expire(now: number): void;
}

export interface WatchOptions {
  /** Between two sweeps, in ms: how late a deadline may be noticed. */
  readonly period?: number;
  /** Monotonic time in ms. */
  readonly clock?: () => number;
}

export class DeadlineWatch {
  /** Monotonic time in ms, which deadlines are set in. */
  readonly now: () => number;
  readonly #period: number;
  readonly #waiting = new Set<Waiting>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor({ period = 100, clock = () => performance.now() }: WatchOptions = {}) {
    this.#period = period;
    this.now = clock;
  }

  add(waiting: Waiting): void {
    this.#waiting.add(waiting);
    this.#timer ??= setInterval(() => this.sweep(), this.#period);
  }

  /** Forgets `waiting`; the timer stops with the last one. */
  delete(waiting: Waiting): void {
    this.#waiting.delete(waiting);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  sweep(): void {
    const now = this.now();
    for (const waiting of this.#waiting) waiting.expire(now);
  }
}

/** The watch that all upstream groups of this isolate share. */
export const sharedWatch: DeadlineWatch = new DeadlineWatch();
