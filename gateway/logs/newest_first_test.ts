import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Chunk } from "./chunk.ts";
import { NewestFirst } from "./newest_first.ts";
import { packRows } from "./packing.ts";
import { comparePositions, positionOf } from "./position.ts";
import { noon, sampleRow } from "./sample_rows.ts";

/** The chunks of several writers, whose rows fall into the same few milliseconds. */
const anyChunks = fc.array(fc.array(fc.nat(12), { minLength: 1, maxLength: 6 }), { maxLength: 8 })
  .map((timesOfWriters) =>
    timesOfWriters.flatMap((times, writer) => {
      const rows = times.map((time) => sampleRow({ request_at: noon + time }));
      return packRows(rows, { writer: `w${writer % 3}`, next: () => writer }, null);
    })
  )
  .map((chunks) => chunks.map(({ stored }) => new Chunk(stored)));

Deno.test("rows of chunks that overlap come out in one order, each as soon as it can", () => {
  fc.assert(
    fc.property(anyChunks, (chunks) => {
      const order = new NewestFirst();
      const taken = [];
      for (const chunk of chunks.toSorted((a, b) => b.facts.last - a.facts.last)) {
        const ready = order.takeNewerThan(chunk.facts.last);
        assert.ok(ready.every(({ chunk: { facts } }) => facts.last > chunk.facts.last));
        taken.push(...ready);
        order.add(chunk, Array.from({ length: chunk.facts.rows }, (_, row) => row));
      }
      taken.push(...order.takeNewerThan(-Infinity));

      const positions = taken.map(({ chunk, row }) => positionOf(chunk, row));
      const everyRow = chunks.flatMap((chunk) =>
        Array.from({ length: chunk.facts.rows }, (_, row) => positionOf(chunk, row))
      );
      assert.deepEqual(positions, everyRow.toSorted(comparePositions).reverse());
    }),
    { numRuns: 300 },
  );
});
