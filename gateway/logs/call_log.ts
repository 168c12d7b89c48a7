/**
 * The log of proxied calls: the request path records into it, Analytics reads
 * from it. Rows lie in chunks (`chunk.ts`) in the order of their times; what
 * was just recorded is written before anything is read, so it is always there.
 */
import type { LogRow } from "../records/log_row.ts";
import type { Store } from "../store/store.ts";
import type { RecordedRows } from "./collector.ts";
import { writeCommit } from "./commit.ts";
import { type Criteria, parseCriteria, rangeOf } from "./criteria.ts";
import { csvOf } from "./csv.ts";
import type { LogEntry } from "./entry.ts";
import { findRow } from "./find.ts";
import { type Histogram, histogramOf } from "./histogram.ts";
import { hitsPerHour } from "./hits.ts";
import type { Match } from "./newest_first.ts";
import { type LogPage, pageOf } from "./page.ts";
import { Recorder, type RecorderState, type ReportProblem } from "./recorder.ts";
import { Retention } from "./retention.ts";
import { matchesIn } from "./scan.ts";
import { SECOND } from "./time_steps.ts";

export type { Histogram, HistogramBucket } from "./histogram.ts";
export type { LogEntry } from "./entry.ts";
export type { LogPage } from "./page.ts";

export interface CallLogOptions {
  /** Told what goes wrong in the background. */
  readonly onProblem: ReportProblem;
  /** The time in milliseconds since the epoch. */
  readonly now?: () => number;
}

export class CallLog {
  readonly #kv: Deno.Kv;
  readonly #now: () => number;
  readonly #recorder: Recorder;
  readonly #retention: Retention;
  #collect: () => Promise<void> = () => Promise.resolve();

  constructor(store: Store, { onProblem, now = Date.now }: CallLogOptions) {
    this.#kv = store.kv;
    this.#now = now;
    this.#recorder = new Recorder({
      write: (commit) => writeCommit(this.#kv, commit),
      onProblem,
      flushInterval: SECOND,
      retryIntervalMax: 30 * SECOND,
      waitingBytesMax: 32 * 1024 * 1024,
    });
    this.#retention = new Retention(this.#kv, now, onProblem);
  }

  /** How many rows are in the store, on their way there, and lost. */
  get state(): RecorderState {
    return this.#recorder.state;
  }

  /** Never throws and never waits; the row is in the store within about a second. */
  record(row: LogRow): void {
    this.#recorder.record(row);
  }

  /** Takes in what was recorded elsewhere, as `record` does. */
  recordAll({ rows, chunks }: RecordedRows): void {
    for (const row of rows) this.#recorder.record(row);
    for (const chunk of chunks) this.#recorder.recordPacked(chunk);
  }

  /** `collect` brings what was recorded elsewhere and is on its way; it is called before a read. */
  feedFrom(collect: () => Promise<void>): void {
    this.#collect = collect;
  }

  /** Writes what has been recorded so far. Does not throw: failures go to `onProblem`. */
  async flush(): Promise<void> {
    await this.#collect();
    await this.#recorder.flush();
  }

  /** Writes what waits and ends all background work. Close the store after it. */
  async close(): Promise<void> {
    await this.#recorder.close();
    await this.#retention.close();
  }

  /**
   * One page of rows. `params` are those of `GET /logs`: `start_at`, `end_at`,
   * `limit`, `cursor` and filters by field (`filter.ts`). Throws a `Fault` (422).
   */
  async query(params: URLSearchParams): Promise<LogPage> {
    const criteria = parseCriteria(params);
    await this.flush();
    return await pageOf(this.#kv, criteria);
  }

  /**
   * The newest call with that request id, or null. With `near`, the time of the
   * call in milliseconds, it is found at once however long the log is.
   */
  async find(requestId: string, near?: number): Promise<LogEntry | null> {
    await this.flush();
    return await findRow(this.#kv, requestId, near);
  }

  /** Bars for a chart of what `query` would list. Throws a `Fault` (422). */
  async histogram(params: URLSearchParams): Promise<Histogram> {
    const criteria = parseCriteria(params);
    await this.flush();
    return await histogramOf(this.#kv, criteria, this.#now());
  }

  /** All that `query` would list, on all pages. Throws a `Fault` (422) before there is a stream. */
  csv(params: URLSearchParams): ReadableStream<Uint8Array<ArrayBuffer>> {
    return csvOf(this.#matches(parseCriteria(params)));
  }

  /** Calls of each backend in the last `hours` hours, oldest first, ending with the current one. */
  async hitsPerHour(
    backendIds: readonly string[],
    hours: number,
  ): Promise<Map<string, number[]>> {
    await this.flush();
    return await hitsPerHour(this.#kv, backendIds, hours, this.#now());
  }

  /**
   * Deletes what is older than `days`, now and every hour until the log is closed
   * or `retain` is called again. One isolate of a process is enough. Resolves
   * when the first pass is over; failures go to `onProblem`.
   */
  retain(days: number): Promise<void> {
    return this.#retention.keep(days);
  }

  async *#matches(criteria: Criteria): AsyncGenerator<readonly Match[]> {
    await this.flush();
    yield* matchesIn(this.#kv, rangeOf(criteria), criteria.filters);
  }
}
