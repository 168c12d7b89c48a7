/**
 * Several isolates of one process may have a store's file open. When two commit
 * at once and one of them has checks, SQLite tells the slower one "database is
 * locked" instead of letting it wait. Nothing was written then, so it is tried
 * again here, below everything that commits.
 */

/** Milliseconds in all before a commit that finds the file locked gives up. */
const PATIENCE = 10_000;
/** Milliseconds at most between two tries. */
const PAUSE_MAX = 10;

/** Makes commits of this store wait their turn. */
export function waitWhenBusy(kv: Deno.Kv): void {
  const atomic = kv.atomic.bind(kv);
  kv.atomic = () => {
    const operation = atomic();
    const commit = operation.commit.bind(operation);
    operation.commit = () => untilFree(commit);
    return operation;
  };
}

async function untilFree<T>(commit: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE;
  while (true) {
    try {
      return await commit();
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error;
    }
    // Of random length, so that two who collided do not collide again.
    await new Promise((resolve) => setTimeout(resolve, Math.random() * PAUSE_MAX));
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && error.message.includes("database is locked");
}
