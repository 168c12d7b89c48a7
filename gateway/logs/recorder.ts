/**
 * Takes rows from the request path and gets them to the store soon, without ever
 * making a request wait. When the store cannot be written, rows are kept and
 * tried again, up to a bound; then the oldest are lost, counted and reported.
 */
import type { LogRow } from "../records/log_row.ts";
import { CHUNK_ROWS } from "./chunk.ts";
import { type Commit, takeCommit } from "./commit.ts";
import { newChunkNames, type PackedChunk, packRows, type WrittenChunk } from "./packing.ts";

/** Called with a message for the server's log and the facts that belong to it. */
export type ReportProblem = (message: string, facts: Record<string, unknown>) => void;

export interface RecorderOptions {
  /**
   * Writes a commit whole or not at all; rejects when it cannot. Gives the
   * versionstamp, or null when it had been written by an earlier try.
   */
  readonly write: (commit: Commit) => Promise<string | null>;
  readonly onProblem: ReportProblem;
  /** Milliseconds a row waits at most before it is written. */
  readonly flushInterval: number;
  /** Milliseconds between two tries at most, when writing fails again and again. */
  readonly retryIntervalMax: number;
  /** Bytes of packed rows that wait at most. */
  readonly waitingBytesMax: number;
}

/** Where the recorded rows are. */
export interface RecorderState {
  readonly written: number;
  readonly waiting: number;
  readonly lost: number;
}

export class Recorder {
  readonly #options: RecorderOptions;
  readonly #names = newChunkNames();
  /** Fewer than a chunk takes; packed when they are enough or are to be written. */
  #rows: LogRow[] = [];
  /** Packed and waiting, oldest first. */
  readonly #chunks: PackedChunk[] = [];
  #chunkBytes = 0;
  /** What is being written, or was and failed: it is tried again as it is. */
  #commit: Commit | null = null;
  #writing: Promise<boolean> | null = null;
  /** The chunk written last, which the next rows may still go into. */
  #tail: WrittenChunk | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #failures = 0;
  #recorded = 0;
  #written = 0;
  #lost = 0;
  /** Rows lost since writing last worked. */
  #lostLately = 0;
  #closed = false;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  get state(): RecorderState {
    const waiting = this.#recorded - this.#written - this.#lost;
    return { written: this.#written, waiting, lost: this.#lost };
  }

  /**
   * Never throws and never waits. Nearly always a push to a list; the row that
   * fills a chunk pays for packing it (about 0.2 ms), which spreads that work
   * more evenly over requests than one pause a second would.
   */
  record(row: LogRow): void {
    this.#recorded++;
    if (this.#closed) return this.#lose(1);
    this.#rows.push(row);
    if (this.#rows.length === CHUNK_ROWS) this.#pack();
    if (this.#timer === null) this.#schedule();
  }

  /** Takes in a chunk that was packed elsewhere. */
  recordPacked(chunk: PackedChunk): void {
    this.#recorded += chunk.added.rows;
    if (this.#closed) return this.#lose(chunk.added.rows);
    this.#queue(chunk);
    if (this.#timer === null) this.#schedule();
  }

  /** Writes what has been recorded so far. Does not throw: what fails is reported and kept. */
  async flush(): Promise<void> {
    this.#pack();
    const recorded = this.#recorded;
    while (this.#written + this.#lost < recorded) {
      if (!await this.#writeNext()) break;
    }
    this.#schedule();
  }

  /** Writes what waits, once; what cannot be written then is lost and reported. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    const { waiting } = this.state;
    if (waiting === 0) return;
    this.#lose(waiting);
    this.#options.onProblem("calls are missing from the log: it could not be written at the end", {
      calls_lost: this.#lost,
    });
  }

  #pack(): void {
    if (this.#rows.length === 0) return;
    for (const chunk of packRows(this.#rows, this.#names, this.#tail)) this.#queue(chunk);
    this.#rows = [];
    this.#tail = null;
  }

  #queue(chunk: PackedChunk): void {
    this.#chunks.push(chunk);
    this.#chunkBytes += chunk.stored.columns.length;
    while (this.#chunkBytes > this.#options.waitingBytesMax) this.#dropOldest();
  }

  #dropOldest(): void {
    const chunk = this.#chunks.shift();
    if (chunk === undefined) return;
    this.#chunkBytes -= chunk.stored.columns.length;
    if (this.#lostLately === 0) {
      this.#options.onProblem(
        "the oldest unwritten calls are dropped from the log: too many wait",
        { waiting: this.state.waiting },
      );
    }
    this.#lose(chunk.added.rows);
  }

  #lose(rows: number): void {
    this.#lost += rows;
    this.#lostLately += rows;
  }

  /** Writes the next commit, or waits for the one under way; false when it failed. */
  #writeNext(): Promise<boolean> {
    return this.#writing ??= this.#write();
  }

  async #write(): Promise<boolean> {
    const commit = this.#commit ??= this.#takeCommit();
    try {
      const versionstamp = await this.#options.write(commit);
      this.#noteWritten(commit, versionstamp);
      return true;
    } catch (error) {
      this.#noteFailure(error);
      return false;
    } finally {
      this.#writing = null;
    }
  }

  #takeCommit(): Commit {
    const commit = takeCommit(this.#chunks);
    for (const { stored } of commit) this.#chunkBytes -= stored.columns.length;
    return commit;
  }

  #noteWritten(commit: Commit, versionstamp: string | null): void {
    this.#commit = null;
    this.#written += rowsOf(commit);
    const stored = commit.at(-1)?.stored;
    this.#tail = stored === undefined || versionstamp === null ? null : { stored, versionstamp };
    if (this.#failures === 0 && this.#lostLately === 0) return;
    this.#options.onProblem("the call log is written again", { calls_lost: this.#lostLately });
    this.#failures = 0;
    this.#lostLately = 0;
  }

  #noteFailure(error: unknown): void {
    this.#failures++;
    this.#options.onProblem("the call log cannot be written; calls are kept and tried again", {
      error: error instanceof Error ? error.message : String(error),
      waiting: this.state.waiting,
      calls_lost: this.#lostLately,
      retry_in_ms: this.#delay(),
    });
  }

  /** Sees to it that what waits is written, and that no timer runs when nothing does. */
  #schedule(): void {
    if (this.#closed || this.state.waiting === 0) {
      if (this.#timer !== null) clearTimeout(this.#timer);
      this.#timer = null;
    } else if (this.#timer === null && this.#writing === null) {
      this.#timer = setTimeout(() => {
        this.#timer = null;
        this.flush();
      }, this.#delay());
    }
  }

  /** Milliseconds until the next write: twice as long after each failure. */
  #delay(): number {
    const { flushInterval, retryIntervalMax } = this.#options;
    return Math.min(flushInterval * 2 ** this.#failures, Math.max(retryIntervalMax, flushInterval));
  }
}

function rowsOf(commit: Commit): number {
  return commit.reduce((rows, { added }) => rows + added.rows, 0);
}
