/**
 * Where a row stands in the log: by its time, and among rows of the same
 * millisecond by the chunk it lies in and its place there. The order is total
 * and no row ever moves, so a page can begin after any row while others arrive.
 */
import { cellOf } from "./column.ts";
import type { Chunk } from "./chunk.ts";

export interface Position {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly writer: string;
  readonly chunk: number;
  readonly row: number;
}

const CURSOR = /^(\d{1,16})_([0-9a-z]{1,16})_(\d{1,15})_(\d{1,6})$/;

export function positionOf(chunk: Chunk, row: number): Position {
  const { writer, number } = chunk.facts;
  return { time: timeOf(chunk, row), writer, chunk: number, row };
}

export function timeOf(chunk: Chunk, row: number): number {
  return Number(cellOf(chunk.column("request_at"), row));
}

/** Below zero when `a` stands before `b`, that is: is older. */
export function comparePositions(a: Position, b: Position): number {
  return a.time - b.time || compareText(a.writer, b.writer) || a.chunk - b.chunk || a.row - b.row;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Text that `parseCursor` turns back into the position; safe in a URL. */
export function cursorAt({ time, writer, chunk, row }: Position): string {
  return `${time}_${writer}_${chunk}_${row}`;
}

/** The position a cursor stands for, or null when it is none of ours. */
export function parseCursor(text: string): Position | null {
  const match = CURSOR.exec(text);
  if (match === null) return null;
  const [, time, writer, chunk, row] = match;
  return { time: Number(time), writer: writer ?? "", chunk: Number(chunk), row: Number(row) };
}
