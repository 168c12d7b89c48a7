/**
 * Counts calls in sliding windows, API Umbrella's way (§2.6): the current fixed
 * window plus the part of the previous one that still overlaps the last
 * `duration`. A call that is refused does not count.
 */
import type { RateLimit } from "../records/fields.ts";

interface Window {
  /** Start of the current period, ms since the epoch. */
  start: number;
  current: number;
  previous: number;
  readonly duration: number;
}

export interface RateLimitResult {
  readonly allowed: boolean;
  /** Calls left, never negative. */
  readonly remaining: number;
  /** Seconds until a call may pass again; 0 when this one may. */
  readonly retryAfter: number;
}

/** How many counters are kept before the stale ones are dropped. */
const MOST_WINDOWS = 200_000;

export class RateLimiter {
  readonly #windows = new Map<string, Window>();

  /**
   * Counts one call against a limit.
   * @param subject whose calls are counted: bucket and key id or address
   * @param now ms since the epoch
   */
  take(limit: RateLimit, subject: string, now: number): RateLimitResult {
    const window = this.#window(`${limit.limit_by} ${limit.duration} ${subject}`, limit, now);
    const elapsed = now - window.start;
    const overlap = Math.max(0, 1 - elapsed / limit.duration);
    const estimate = window.current + 1 + Math.floor(window.previous * overlap);
    if (estimate > limit.limit) {
      return { allowed: false, remaining: 0, retryAfter: secondsToWait(window, limit, now) };
    }
    window.current++;
    return { allowed: true, remaining: limit.limit - estimate, retryAfter: 0 };
  }

  #window(name: string, { duration }: RateLimit, now: number): Window {
    const start = Math.floor(now / duration) * duration;
    const known = this.#windows.get(name);
    if (known === undefined) {
      if (this.#windows.size >= MOST_WINDOWS) this.#makeRoom(now);
      const fresh = { start, current: 0, previous: 0, duration };
      this.#windows.set(name, fresh);
      return fresh;
    }
    // A clock that jumped back must not open a new, empty window.
    if (start > known.start) {
      known.previous = start === known.start + duration ? known.current : 0;
      known.current = 0;
      known.start = start;
    }
    return known;
  }

  /** Drops windows that no longer count, then the oldest until a tenth is free. */
  #makeRoom(now: number): void {
    for (const [name, { start, duration }] of this.#windows) {
      if (start + 2 * duration <= now) this.#windows.delete(name);
    }
    for (const name of this.#windows.keys()) {
      if (this.#windows.size <= MOST_WINDOWS * 0.9) break;
      this.#windows.delete(name);
    }
  }
}

/** When the estimate will have fallen below the limit, in whole seconds. */
function secondsToWait(window: Window, limit: RateLimit, now: number): number {
  const room = limit.limit - 1 - window.current;
  const end = window.start + limit.duration;
  // In this window the previous one's share shrinks; in the next, this one's does.
  const wait = room >= 0
    ? waitForShare(window.previous, room, window.start, limit.duration)
    : waitForShare(window.current, limit.limit - 1, end, limit.duration);
  return Math.max(1, Math.ceil((wait - now) / 1000));
}

/** The moment at which `floor(count × share left of the window)` is at most `room`. */
function waitForShare(count: number, room: number, start: number, duration: number): number {
  return count <= room ? start : start + duration * (1 - (room + 1) / count) + 1;
}
