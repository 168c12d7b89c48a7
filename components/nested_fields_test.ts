import assert from "node:assert/strict";
import * as fc from "fast-check";
import { fieldSteps, nestedFields, textAt, textsAt, treesAt } from "./nested_fields.ts";

const nested = (...entries: [string, unknown][]) => nestedFields(entries);

Deno.test("names spell the record that a form sends", () => {
  assert.deepEqual(
    nested(
      ["name", "Weather"],
      ["servers[0].host", "a.example"],
      ["servers[0].port", "80"],
      ["servers[1].host", "b.example"],
      ["settings.rate_limits[0].limit", "1000"],
      ["ids[0]", "x"],
    ),
    {
      name: "Weather",
      servers: [{ host: "a.example", port: "80" }, { host: "b.example" }],
      settings: { rate_limits: [{ limit: "1000" }] },
      ids: ["x"],
    },
  );
});

Deno.test("lists close up in the order of their indexes, and a huge index costs nothing", () => {
  assert.deepEqual(
    nested(["ids[999999999]", "c"], ["ids[2]", "b"], ["ids[0]", "a"]),
    { ids: ["a", "b", "c"] },
  );
});

Deno.test("no name reaches a prototype", () => {
  const tree = nested(
    ["__proto__.polluted", "yes"],
    ["constructor.prototype.polluted", "yes"],
    ["settings.__proto__.polluted", "yes"],
    ["servers[0].__proto__.polluted", "yes"],
  );
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.equal(Reflect.get(tree, "polluted"), undefined);
  assert.equal(Object.getPrototypeOf(tree), Object.prototype);
});

Deno.test("inherited names are not there for who reads a record", () => {
  assert.equal(textAt({}, "toString"), "");
  assert.deepEqual(treesAt({}, "constructor"), []);
});

Deno.test("what spells no path is left out", () => {
  for (const name of ["", ".a", "a.", "a[", "a[x]", "a[-1]", "a[1", "a b", "a[0]b", "[0]"]) {
    assert.deepEqual(nested([name, "x"]), {}, name);
  }
  assert.equal(fieldSteps("a.a.a.a.a.a.a.a.a"), null);
});

Deno.test("files are left out", () => {
  assert.deepEqual(nested(["name", new File([], "a.txt")]), {});
});

Deno.test("of two fields that claim one place, the later one has it", () => {
  assert.deepEqual(nested(["a", "1"], ["a.b", "2"]), { a: { b: "2" } });
  assert.deepEqual(nested(["a.b", "2"], ["a", "1"]), { a: "1" });
  assert.deepEqual(nested(["a.b", "1"], ["a[0]", "2"]), { a: ["2"] });
});

Deno.test("texts are read from lists of texts alone", () => {
  assert.deepEqual(textsAt(nested(["ids[0]", "a"], ["ids[1].x", "b"]), "ids"), ["a"]);
  assert.deepEqual(textsAt(nested(["ids", "a"]), "ids"), []);
});

Deno.test("whatever is sent, a record comes out of it", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string(), fc.string())), (entries) => {
      assert.equal(typeof nestedFields(entries), "object");
    }),
  );
});
