/**
 * The revision of all API keys: one value in the store that moves on with every
 * key that is added, changed or removed, and names the latest of them. Whoever
 * watches it knows what to forget, or that it missed too much to know.
 */
import { apiKeyKeys } from "../store/keys.ts";

/** Changes named in a revision: the most that may happen between two looks at it. */
const RECENT_MAX = 128;

export interface KeyChange {
  /** First bytes of the key's hash. */
  readonly fingerprint: Uint8Array;
  /** False when the key was removed. */
  readonly present: boolean;
  /** Absent in revisions from before it was told. */
  readonly preview?: string;
}

export interface KeyRevision {
  /** Grows by one with every change. */
  readonly sequence: number;
  /** Oldest first; the last one made this revision. */
  readonly recent: readonly KeyChange[];
}

export const firstRevision: KeyRevision = { sequence: 0, recent: [] };

/** The revision that `change` makes, and how to commit it together with the change. */
export async function nextRevision(
  kv: Deno.Kv,
  change: KeyChange,
): Promise<{ revision: KeyRevision; commitIn: (commit: Deno.AtomicOperation) => void }> {
  const current = await kv.get<KeyRevision>(apiKeyKeys.revision);
  const { sequence, recent } = current.value ?? firstRevision;
  const revision: KeyRevision = {
    sequence: sequence + 1,
    recent: [...recent, change].slice(-RECENT_MAX),
  };
  const commitIn = (commit: Deno.AtomicOperation) => {
    commit.check(current).set(apiKeyKeys.revision, revision);
  };
  return { revision, commitIn };
}

/** What changed between `sequence` and `revision`; null when that is no longer known. */
export function changesSince(sequence: number, revision: KeyRevision): readonly KeyChange[] | null {
  const missed = revision.sequence - sequence;
  if (missed <= 0) return [];
  return missed > revision.recent.length ? null : revision.recent.slice(-missed);
}
