import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { LogRow } from "../records/log_row.ts";
import { VALUE_MAX_BYTES } from "../store/limits.ts";
import { Chunk, CHUNK_ROWS, CHUNK_SPAN, spanOf } from "./chunk.ts";
import { type ChunkNames, type PackedChunk, packRows } from "./packing.ts";
import { anyRows, noon, sampleRow } from "./sample_rows.ts";

function names(): ChunkNames {
  let number = 0;
  return { writer: "w", next: () => number++ };
}

function rowsOf({ stored }: PackedChunk): LogRow[] {
  const chunk = new Chunk(stored);
  return Array.from({ length: stored.rows }, (_, row) => chunk.row(row));
}

const byTime = (a: LogRow, b: LogRow) => a.request_at - b.request_at;

Deno.test("packed rows come back as they were, in the order of their times", () => {
  fc.assert(fc.property(anyRows(200), (rows) => {
    assert.deepEqual(packRows(rows, names(), null).flatMap(rowsOf), rows.toSorted(byTime));
  }));
});

Deno.test("a chunk keeps to one span and to its number of rows", () => {
  fc.assert(fc.property(anyRows(300), (rows) => {
    for (const { stored } of packRows(rows, names(), null)) {
      assert.ok(stored.rows <= CHUNK_ROWS);
      assert.equal(spanOf(stored.first), spanOf(stored.last));
    }
  }));
});

Deno.test("rows too long for one value take several", () => {
  const path = "/" + "é".repeat(3000);
  const rows = Array.from(
    { length: CHUNK_ROWS },
    (_, index) =>
      sampleRow({ request_id: `r-${index}`, request_path: path + index, request_url_query: path }),
  );
  const chunks = packRows(rows, names(), null);
  assert.ok(chunks.length > 1);
  assert.ok(chunks.every(({ stored }) => stored.columns.length < VALUE_MAX_BYTES));
  assert.deepEqual(chunks.flatMap(rowsOf), rows);
});

Deno.test("what a stranger sends is cut to a length, whatever it is made of", () => {
  const endless = "\u0001".repeat(100_000);
  const [chunk] = packRows(
    [sampleRow({
      request_host: endless,
      request_path: endless,
      request_url_query: endless,
      request_user_agent: endless,
      request_accept: endless,
      request_referer: endless,
    })],
    names(),
    null,
  );
  assert.ok(chunk !== undefined && chunk.stored.columns.length < VALUE_MAX_BYTES);
  const [long] = packRows([sampleRow({ request_path: "/x".repeat(9000) })], names(), null);
  assert.ok(long !== undefined);
  assert.equal(rowsOf(long)[0]?.request_path, "/x".repeat(2000));
});

Deno.test("rows that go on where the last chunk ends are added to it", () => {
  const [tail] = packRows([sampleRow()], names(), null);
  assert.ok(tail !== undefined);
  const later = sampleRow({ request_id: "r-2", request_at: noon + 1000, response_status: 404 });
  const [grown, ...others] = packRows([later], names(), { ...tail, versionstamp: "v1" });
  assert.ok(grown !== undefined);
  assert.deepEqual(others, []);
  assert.deepEqual(rowsOf(grown), [sampleRow(), later]);
  assert.equal(grown.replaces, "v1");
  assert.deepEqual([grown.stored.first, grown.stored.last], [noon, noon + 1000]);
  assert.deepEqual(grown.stored.classes, [0, 1, 0, 1, 0]);
  assert.deepEqual(grown.added.classes, [0, 0, 0, 1, 0], "the counters know the first row already");
});

Deno.test("rows that do not go on where the last chunk ends have their own", () => {
  const tailOf = (count: number) => {
    const rows = Array.from({ length: count }, () => sampleRow({ request_at: noon + 1000 }));
    const [tail] = packRows(rows, names(), null);
    return tail === undefined ? null : { ...tail, versionstamp: "v1" };
  };
  const earlier = sampleRow({ request_at: noon + 999 });
  const next = sampleRow({ request_at: noon + 1000 });
  const inNextSpan = sampleRow({ request_at: noon + CHUNK_SPAN });
  assert.equal(packRows([earlier], names(), tailOf(1))[0]?.replaces, null);
  assert.equal(packRows([inNextSpan], names(), tailOf(1))[0]?.replaces, null);
  assert.equal(packRows([next], names(), tailOf(CHUNK_ROWS))[0]?.replaces, null);
});
