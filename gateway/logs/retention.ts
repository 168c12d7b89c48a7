/**
 * Deletes what has been kept long enough. Whole hours go, with their counters,
 * so that totals still agree with rows at the old end of the log.
 */
import { deleteKeys, keysOf } from "../store/deletion.ts";
import { logKeys } from "../store/keys.ts";
import type { ReportProblem } from "./recorder.ts";
import { DAY, HOUR, MINUTE, stepBefore } from "./time_steps.ts";

/** Keeps the log as long as it is told to, in the background. */
export class Retention {
  readonly #kv: Deno.Kv;
  readonly #now: () => number;
  readonly #onProblem: ReportProblem;
  readonly #closing = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pass: Promise<void> = Promise.resolve();

  constructor(kv: Deno.Kv, now: () => number, onProblem: ReportProblem) {
    this.#kv = kv;
    this.#now = now;
    this.#onProblem = onProblem;
  }

  /** Deletes what is older than `days`, now and every hour. Resolves after the first pass. */
  keep(days: number): Promise<void> {
    this.#pass = this.#pass.then(() => this.#run(days));
    return this.#pass;
  }

  /** Resolves when nothing is being deleted any more. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#pass;
  }

  async #run(days: number): Promise<void> {
    clearTimeout(this.#timer);
    try {
      await removeOlderThan(this.#kv, days, this.#now(), this.#closing.signal);
    } catch (error) {
      this.#onProblem("old calls could not be deleted from the log; tried again in an hour", {
        error: error instanceof Error ? error.message : String(error),
      });
    }
    if (!this.#closing.signal.aborted) this.#timer = setTimeout(() => this.keep(days), HOUR);
  }
}

/**
 * Deletes rows and counters older than `days`, seen from `now` (milliseconds),
 * until nothing is left to delete or `stop` is aborted.
 */
async function removeOlderThan(
  kv: Deno.Kv,
  days: number,
  now: number,
  stop: AbortSignal,
): Promise<void> {
  const end = stepBefore(now - days * DAY, HOUR);
  const selectors = [
    { start: logKeys.chunksFrom(0), end: logKeys.chunksFrom(end) },
    { start: logKeys.countsFrom(HOUR, 0), end: logKeys.countsFrom(HOUR, end) },
    { start: logKeys.countsFrom(MINUTE, 0), end: logKeys.countsFrom(MINUTE, end) },
    { start: logKeys.hitsFrom(0), end: logKeys.hitsFrom(end) },
  ];
  for (const selector of selectors) await deleteKeys(kv, keysOf(kv, selector, stop));
}
