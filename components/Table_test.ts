import assert from "node:assert/strict";
import { type Column, readSorting, sortLink } from "./Table.tsx";

const columns: Column<string>[] = [
  { key: "name", title: "Name", cell: (row) => row, sortable: true },
  { key: "note", title: "Note", cell: (row) => row },
];
const sortingOf = (query: string) => readSorting(new URL(`http://h/list?${query}`), columns);

Deno.test("a table is sorted by the column that the URL names", () => {
  assert.deepEqual(sortingOf("sort=name"), { key: "name", descending: false });
  assert.deepEqual(sortingOf("sort=-name"), { key: "name", descending: true });
});

Deno.test("a column that does not sort, or does not exist, is not sorted by", () => {
  assert.equal(sortingOf("sort=note"), undefined);
  assert.equal(sortingOf("sort=constructor"), undefined);
  assert.equal(sortingOf(""), undefined);
});

Deno.test("a column's link turns its order round, keeps the search and begins at the first page", () => {
  const url = new URL("http://h/list?search=x&cursor=abc&sort=name");
  assert.equal(sortLink(url, "name", sortingOf("sort=name")), "/list?search=x&sort=-name");
  assert.equal(sortLink(url, "name", sortingOf("sort=-name")), "/list?search=x&sort=name");
  assert.equal(sortLink(url, "other", sortingOf("sort=-name")), "/list?search=x&sort=other");
});
