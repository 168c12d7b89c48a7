/** Deletes many keys, a batch to a commit. */

/** Keys in one commit: far below the limit, since whoever lists them reads their values too. */
const BATCH = 100;

/** Not atomic as a whole; what the keys come from may be a listing of the same keys. */
export async function deleteKeys(
  kv: Deno.Kv,
  keys: AsyncIterable<Deno.KvKey> | Iterable<Deno.KvKey>,
): Promise<void> {
  let commit = kv.atomic();
  let count = 0;
  for await (const key of keys) {
    commit.delete(key);
    if (++count % BATCH !== 0) continue;
    await commit.commit();
    commit = kv.atomic();
  }
  if (count % BATCH !== 0) await commit.commit();
}

/** The keys of all entries that are selected; no more of them once `stop` is aborted. */
export async function* keysOf(
  kv: Deno.Kv,
  selector: Deno.KvListSelector,
  stop?: AbortSignal,
): AsyncGenerator<Deno.KvKey> {
  for await (const { key } of kv.list(selector, { batchSize: BATCH })) {
    if (stop?.aborted) return;
    yield key;
  }
}
