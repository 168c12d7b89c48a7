/**
 * Gathers the rows of calls where they are answered, and hands them over to
 * whoever writes the log: soon, so that little is lost with the isolate, and packed
 * where there are many, so that handing over costs little.
 */
import type { LogRow } from "../records/log_row.ts";
import { CHUNK_ROWS } from "./chunk.ts";
import { type ChunkNames, newChunkNames, type PackedChunk, packRows } from "./packing.ts";

/** Some recorded calls: few as they are, many packed. */
export interface RecordedRows {
  readonly rows: readonly LogRow[];
  readonly chunks: readonly PackedChunk[];
}

/** Milliseconds a row waits at most before it is handed over. */
const HAND_OVER_AFTER = 50;

export class Collector {
  readonly #handOver: (recorded: RecordedRows) => void;
  readonly #names: ChunkNames = newChunkNames();
  #rows: LogRow[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** `handOver` must not throw. */
  constructor(handOver: (recorded: RecordedRows) => void) {
    this.#handOver = handOver;
  }

  /**
   * Never throws and never waits. Nearly always a push to a list; the row that fills a
   * chunk pays for packing it (about 0.2 ms), which spreads that work more evenly over
   * calls than one pause a second would.
   */
  record(row: LogRow): void {
    this.#rows.push(row);
    if (this.#rows.length === CHUNK_ROWS) this.#handOver(this.#takeChunk());
    else this.#timer ??= setTimeout(() => this.#handOverSome(), HAND_OVER_AFTER);
  }

  /** What has not been handed over yet; from now on it has. */
  take(): RecordedRows {
    const rows = this.#rows;
    this.#rows = [];
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    return { rows, chunks: [] };
  }

  #handOverSome(): void {
    this.#timer = null;
    if (this.#rows.length > 0) this.#handOver(this.take());
  }

  /** The timer stays: under load it comes when there are rows again. */
  #takeChunk(): RecordedRows {
    const rows = this.#rows;
    this.#rows = [];
    return { rows: [], chunks: packRows(rows, this.#names, null) };
  }
}
