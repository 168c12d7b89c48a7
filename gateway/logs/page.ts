/** One page of the log, newest first, and how many rows there are on all pages. */
import { type Criteria, rangeOf } from "./criteria.ts";
import { entryAt, type LogEntry } from "./entry.ts";
import type { Match } from "./newest_first.ts";
import { comparePositions, cursorAt, type Position, positionOf } from "./position.ts";
import { matchesIn } from "./scan.ts";
import { totalIn } from "./tally.ts";
import type { TimeRange } from "./time_steps.ts";

export interface LogPage {
  readonly logs: LogEntry[];
  /** Asks for the next page; null on the last one. */
  readonly next_cursor: string | null;
  readonly total: number;
}

export async function pageOf(kv: Deno.Kv, criteria: Criteria): Promise<LogPage> {
  const { matches, total } = criteria.filters.length === 0
    ? await unfiltered(kv, criteria)
    : await filtered(kv, criteria);
  const onPage = matches.slice(0, criteria.limit);
  const last = matches.length > criteria.limit ? onPage.at(-1) : undefined;
  return {
    logs: onPage.map(({ chunk, row }) => entryAt(chunk, row)),
    next_cursor: last === undefined ? null : cursorAt(positionOf(last.chunk, last.row)),
    total,
  };
}

/** The rows of a page and, if there is one, the row after it. */
interface Found {
  readonly matches: Match[];
  readonly total: number;
}

/** Reads no further than the page; the total comes from counters. */
async function unfiltered(kv: Deno.Kv, criteria: Criteria): Promise<Found> {
  const range = rangeOf(criteria);
  const total = await totalIn(kv, range);
  const matches: Match[] = [];
  for await (const batch of matchesIn(kv, upTo(criteria.after, range), [])) {
    addUpToLimit(matches, batch, criteria);
    if (matches.length > criteria.limit) break;
  }
  return { matches, total };
}

/** Only looking at every row tells how many pass, so the page is taken on the way. */
async function filtered(kv: Deno.Kv, criteria: Criteria): Promise<Found> {
  const matches: Match[] = [];
  let total = 0;
  for await (const batch of matchesIn(kv, rangeOf(criteria), criteria.filters)) {
    addUpToLimit(matches, batch, criteria);
    total += batch.length;
  }
  return { matches, total };
}

function addUpToLimit(matches: Match[], batch: readonly Match[], { after, limit }: Criteria): void {
  if (matches.length > limit) return;
  for (const match of batch) {
    if (after !== null && comparePositions(positionOf(match.chunk, match.row), after) >= 0) {
      continue;
    }
    if (matches.push(match) > limit) return;
  }
}

/** The part of a range that a page after the position can be in. */
function upTo(after: Position | null, { start, end }: TimeRange): TimeRange {
  return { start, end: after === null ? end : Math.min(end, after.time + 1) };
}
