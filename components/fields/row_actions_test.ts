import assert from "node:assert/strict";
import { choice, lines, rows } from "./field_kinds.ts";
import { readFields } from "./fields_form.ts";
import {
  addRow,
  onRow,
  placeAfterAction,
  readAction,
  type RowAction,
  rowsAfter,
  withFirstRows,
  withRowOf,
} from "./row_actions.ts";

const table = {
  mode: choice({ label: "Mode", help: "", builtIn: "free" }, ["free", "Free", ""], [
    "counted",
    "Counted",
    "",
  ]),
  quotas: rows({
    label: "Quotas",
    help: "",
    kind: "quota",
    item: "Quota",
    onlyWhile: ["mode", "counted"],
  }),
  headers: rows({ label: "Headers", help: "", kind: "header", item: "Header" }),
  roles: lines({ label: "Roles", help: "", item: "Role" }),
};

function asked(action: string): RowAction {
  const read = readAction(action);
  assert.ok(read !== null, action);
  return read;
}

Deno.test("a button's value says what is asked for, of which list and which row", () => {
  assert.deepEqual(readAction(addRow("a.b")), { verb: "add", list: "a.b", index: -1 });
  assert.deepEqual(readAction(onRow("up", "a[0].b[12]")), {
    verb: "up",
    list: "a[0].b",
    index: 12,
  });
});

Deno.test("any other value asks for nothing", () => {
  for (const action of ["", "save", "add:a[0]", "remove:a", "drop:a[0]", "up:a[b]", "add:a b"]) {
    assert.equal(readAction(action), null, action);
  }
});

Deno.test("rows are added, removed and moved, and stay where there is no further", () => {
  const after = (action: string) => rowsAfter(["a", "b", "c"], "new", asked(action)).join(" ");
  assert.equal(after(addRow("list")), "a b c new");
  assert.equal(after(onRow("remove", "list[1]")), "a c");
  assert.equal(after(onRow("up", "list[2]")), "a c b");
  assert.equal(after(onRow("down", "list[2]")), "a b c");
  assert.equal(after(onRow("remove", "list[7]")), "a b c");
});

Deno.test("a row that is added counts: what decides on its list is set so", () => {
  const empty = readFields(table, {});
  assert.equal(withRowOf(table, empty, "quotas", asked(addRow("quotas")))?.mode, "counted");
  assert.equal(withRowOf(table, empty, "headers", asked(addRow("headers")))?.mode, "");
});

Deno.test("fields without rows, and names that the table does not have, take none", () => {
  const empty = readFields(table, {});
  for (const name of ["roles", "mode", "__proto__"]) {
    assert.equal(withRowOf(table, empty, name, asked(addRow(name))), null, name);
  }
});

Deno.test("a list that begins to count begins with one row, once", () => {
  const begun = withFirstRows(table, readFields(table, { mode: "counted" }));
  assert.equal(begun.quotas.length, 1);
  assert.deepEqual(withFirstRows(table, begun), begun);
  assert.equal(withFirstRows(table, readFields(table, { mode: "free" })).quotas.length, 0);
});

Deno.test("one goes on in a new row, at the button that was pressed, or at the list", () => {
  const place = (action: string, firstField: string | null = "host") =>
    placeAfterAction(asked(action), 3, firstField);
  assert.equal(place(addRow("list")), "list[2].host");
  assert.equal(place(addRow("list"), null), "list[2]");
  assert.equal(place(onRow("up", "list[1]")), "list[0].down");
  assert.equal(place(onRow("down", "list[0]")), "list[1].down");
  assert.equal(place(onRow("close", "list[1]")), "list[1].open");
  assert.equal(place(onRow("remove", "list[1]")), "list");
});
