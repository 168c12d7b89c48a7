import assert from "node:assert/strict";
import { until } from "../../tests/harness/until.ts";
import { Chunk, CHUNK_ROWS } from "./chunk.ts";
import { Collector, type RecordedRows } from "./collector.ts";
import { noon, sampleRow } from "./sample_rows.ts";

function collecting() {
  const handedOver: RecordedRows[] = [];
  const collector = new Collector((recorded) => handedOver.push(recorded));
  const record = (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      collector.record(sampleRow({ request_id: `r-${i}`, request_at: noon + i }));
    }
  };
  return { handedOver, collector, record };
}

function idsOf(recorded: readonly RecordedRows[]): string[] {
  return recorded.flatMap(({ rows, chunks }) => [
    ...rows.map(({ request_id }) => request_id),
    ...chunks.flatMap(({ stored }) => {
      const chunk = new Chunk(stored);
      return Array.from({ length: stored.rows }, (_, row) => chunk.row(row).request_id);
    }),
  ]);
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => `r-${i}`);

Deno.test("few rows are handed over soon, without anybody asking", async () => {
  const { handedOver, record } = collecting();
  record(0, 3);
  assert.equal(handedOver.length, 0, "recording itself hands nothing over");
  await until(() => handedOver.length > 0, "the rows to be handed over");
  assert.deepEqual(idsOf(handedOver), ids(3));
});

Deno.test("rows that fill a chunk are handed over packed, at once", () => {
  const { handedOver, collector, record } = collecting();
  record(0, CHUNK_ROWS);
  assert.equal(handedOver[0]?.chunks.length, 1);
  assert.deepEqual(idsOf(handedOver), ids(CHUNK_ROWS));
  collector.take();
});

Deno.test("whoever takes the rows gets each once, and nothing comes after", async () => {
  const { handedOver, collector, record } = collecting();
  record(0, CHUNK_ROWS + 5);
  const taken = collector.take();
  assert.deepEqual(idsOf([...handedOver, taken]), ids(CHUNK_ROWS + 5));
  assert.deepEqual(idsOf([collector.take()]), []);
  record(CHUNK_ROWS + 5, CHUNK_ROWS + 6);
  await until(() => handedOver.length > 1, "the next row to be handed over");
  assert.deepEqual(idsOf(handedOver.slice(1)), [`r-${CHUNK_ROWS + 5}`]);
});
