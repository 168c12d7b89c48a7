import assert from "node:assert/strict";
import { logKeys } from "../store/keys.ts";
import { COMMIT_MAX_BYTES, COMMIT_MAX_MUTATIONS } from "../store/limits.ts";
import { Store } from "../store/store.ts";
import { CHUNK_ROWS, type StoredChunk } from "./chunk.ts";
import { takeCommit, writeCommit } from "./commit.ts";
import { packRows } from "./packing.ts";
import { noon, sampleRow } from "./sample_rows.ts";
import { totalIn } from "./tally.ts";
import { END_OF_TIME } from "./time_steps.ts";

const everything = { start: 0, end: END_OF_TIME };

function chunksOf(count: number, path: string) {
  let number = 0;
  const names = { writer: crypto.randomUUID(), next: () => number++ };
  const rows = Array.from({ length: count }, (_, index) =>
    sampleRow({
      request_id: crypto.randomUUID(),
      request_at: noon + index,
      request_path: path + index,
      api_backend_id: `backend-${index}`,
    }));
  return packRows(rows, names, null);
}

Deno.test("a commit tried again after it got through counts nothing twice", async () => {
  const store = await Store.open(":memory:");
  const chunks = chunksOf(3, "/");
  const commit = takeCommit(chunks);
  assert.equal(typeof await writeCommit(store.kv, commit), "string");
  assert.equal(await writeCommit(store.kv, commit), null);
  assert.equal(await totalIn(store.kv, everything), 3);

  const [entry] = await Array.fromAsync(
    store.kv.list<StoredChunk>({
      start: logKeys.chunksFrom(0),
      end: logKeys.chunksFrom(END_OF_TIME),
    }),
  );
  assert.ok(entry !== undefined);
  const names = { writer: "other", next: () => 0 };
  const tail = { stored: entry.value, versionstamp: entry.versionstamp };
  const grown = packRows([sampleRow({ request_at: noon + 9 })], names, tail);
  assert.equal(grown[0]?.stored.rows, 4);
  assert.equal(typeof await writeCommit(store.kv, grown), "string");
  assert.equal(await writeCommit(store.kv, grown), null);
  assert.equal(await totalIn(store.kv, everything), 4);
  store.close();
});

Deno.test("commits keep to the limits of every store, whatever the rows", async () => {
  const store = await Store.open(":memory:");
  for (const path of ["/", "/" + "x".repeat(3900)]) {
    const chunks = chunksOf(40 * CHUNK_ROWS, path);
    while (chunks.length > 0) {
      const commit = takeCommit(chunks);
      const bytes = commit.reduce((sum, { stored }) => sum + stored.columns.length, 0);
      const counters = commit.reduce((sum, { added }) => sum + added.backends.size, 0);
      assert.ok(commit.length > 0 && bytes < COMMIT_MAX_BYTES);
      assert.ok(commit.length + counters < COMMIT_MAX_MUTATIONS);
      await writeCommit(store.kv, commit);
    }
  }
  assert.equal(await totalIn(store.kv, everything), 80 * CHUNK_ROWS);
  store.close();
});
