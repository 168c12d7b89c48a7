/**
 * Lists in pages: what a caller asks for, what it gets, and the cursor between
 * the two. A cursor is opaque to callers; inside it is the last id they saw.
 */
import { invalidField } from "../faults.ts";
import { isRecordId } from "./record_id.ts";

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1000;

export interface Page<T> {
  readonly items: readonly T[];
  /** Asks for the next page; null on the last one. */
  readonly next_cursor: string | null;
  /** How many there are on all pages together. */
  readonly total: number;
}

export interface PageRequest {
  /** 1 to 1000, by default 100. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Throws a `Fault` (422) on `limit` when it is out of range. */
export function pageLimit(request: PageRequest): number {
  const limit = request.limit ?? LIMIT_DEFAULT;
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
    throw invalidField("limit", `must be a whole number from 1 to ${LIMIT_MAX}`);
  }
  return limit;
}

export function cursorAfter(id: string): string {
  return btoa(id).replaceAll("=", "");
}

/** The id after which the page begins, if any. Throws a `Fault` (422) on `cursor`. */
export function pageStart(request: PageRequest): string | undefined {
  if (request.cursor === undefined) return undefined;
  const id = decoded(request.cursor);
  if (!isRecordId(id)) {
    throw invalidField("cursor", "must be the next_cursor of an earlier answer to the same list");
  }
  return id;
}

function decoded(cursor: string): string {
  try {
    return atob(cursor);
  } catch {
    return ""; // no base64, so no cursor of ours
  }
}
