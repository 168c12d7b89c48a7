/**
 * Chunks and their counters go to the store in one atomic commit, so that totals
 * never disagree with rows. A commit that is tried again after its answer got
 * lost does not count anything twice.
 */
import { logKeys } from "../store/keys.ts";
import { COMMIT_MAX_BYTES, COMMIT_MAX_MUTATIONS } from "../store/limits.ts";
import type { PackedChunk } from "./packing.ts";
import { HOUR, MINUTE, stepBefore } from "./time_steps.ts";

/** At least one chunk, together within the store's limits. */
export type Commit = readonly PackedChunk[];

/** How much is added to a counter. */
interface Increment {
  readonly key: Deno.KvKey;
  readonly by: number;
}

/** What a key, the facts of a chunk or a counter take beside a chunk's columns, generously. */
const ENTRY_BYTES = 1024;

/** Takes from the front of `chunks` as many as fit one commit. */
export function takeCommit(chunks: PackedChunk[]): Commit {
  let [bytes, mutations, taken] = [0, 0, 0];
  for (const chunk of chunks) {
    const entries = 1 + incrementsOf(chunk).length;
    mutations += entries;
    bytes += chunk.stored.columns.length + entries * ENTRY_BYTES;
    const fits = mutations <= COMMIT_MAX_MUTATIONS && bytes <= COMMIT_MAX_BYTES;
    if (!fits && taken > 0) break;
    taken++;
  }
  return chunks.splice(0, taken);
}

/**
 * Gives the versionstamp of what was written; null when an earlier try of the
 * same commit had got through after all. Throws what the store throws.
 */
export async function writeCommit(kv: Deno.Kv, commit: Commit): Promise<string | null> {
  const atomic = kv.atomic();
  for (const { stored, replaces } of commit.slice(0, 1)) {
    // Only this writer writes a chunk of this name, so another version is this commit's.
    atomic.check({ key: chunkKey(stored), versionstamp: replaces });
  }
  for (const { stored } of commit) atomic.set(chunkKey(stored), stored);
  for (const { key, by } of combined(commit.flatMap(incrementsOf))) atomic.sum(key, BigInt(by));
  const result = await atomic.commit();
  return result.ok ? result.versionstamp : null;
}

function chunkKey({ first, writer, number }: PackedChunk["stored"]): Deno.KvKey {
  return logKeys.chunk(first, writer, number);
}

function incrementsOf({ stored, added }: PackedChunk): Increment[] {
  const hour = stepBefore(stored.first, HOUR);
  const minute = stepBefore(stored.first, MINUTE);
  const increments: Increment[] = [];
  for (const [statusClass, by] of added.classes.entries()) {
    if (by === 0) continue;
    increments.push({ key: logKeys.count(HOUR, hour, statusClass), by });
    increments.push({ key: logKeys.count(MINUTE, minute, statusClass), by });
  }
  for (const [backendId, counts] of added.backends) {
    for (const [statusClass, by] of counts.entries()) {
      if (by > 0) increments.push({ key: logKeys.hits(hour, backendId, statusClass), by });
    }
  }
  return increments;
}

/** One increment a counter. */
function combined(increments: readonly Increment[]): Increment[] {
  const byKey = new Map<string, Increment>();
  for (const { key, by } of increments) {
    const name = JSON.stringify(key);
    byKey.set(name, { key, by: by + (byKey.get(name)?.by ?? 0) });
  }
  return [...byKey.values()];
}
