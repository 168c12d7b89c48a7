import assert from "node:assert/strict";
import * as fc from "fast-check";
import { type Cell, cellOf, packColumn, selectRows } from "./column.ts";

const cells = fc.array(fc.constantFrom<Cell>(null, "", "a", "b", 0, 1, 200), { minLength: 1 });

Deno.test("a packed column gives every cell back", () => {
  fc.assert(fc.property(cells, (cells) => {
    const column = JSON.parse(JSON.stringify(packColumn(cells)));
    assert.deepEqual(cells.map((_, row) => cellOf(column, row)), cells);
  }));
});

Deno.test("selecting tests every row that is given, and no other", () => {
  fc.assert(fc.property(cells, fc.integer({ min: 1, max: 3 }), (cells, every) => {
    const rows = cells.map((_, row) => row).filter((row) => row % every === 0);
    const passes = (cell: Cell) => cell === "a" || cell === 200;
    assert.deepEqual(
      selectRows(packColumn(cells), rows, passes),
      rows.filter((row) => passes(cells[row] ?? null)),
    );
  }));
});

Deno.test("a value that many rows share is kept and tested once", () => {
  const cells = Array.from({ length: 100 }, (_, row) => row % 20 === 0 ? 403 : 200);
  let tests = 0;
  const selected = selectRows(packColumn(cells), [...cells.keys()], (cell) => {
    tests++;
    return cell === 403;
  });
  assert.equal(selected.length, 5);
  assert.equal(tests, 2);
  assert.deepEqual(packColumn(["GET", "GET", "GET"]), [["GET"]]);
});
