import assert from "node:assert/strict";
import * as fc from "fast-check";
import { markDifferences, type TextPiece } from "./mark_differences.ts";

const shown = (pieces: readonly TextPiece[]) =>
  pieces.map(({ text, changed }) => changed ? `[${text}]` : text).join("");

function marked(before: string, after: string) {
  const result = markDifferences(before, after);
  return [shown(result.before), shown(result.after)];
}

Deno.test("what differs is marked in whole words", () => {
  assert.deepEqual(marked("timetables.internal", "timetables-2.internal"), [
    "timetables.internal",
    "timetables[-2].internal",
  ]);
  assert.deepEqual(marked("/v1/weather/", "/v10/weather/"), ["/[v1]/weather/", "/[v10]/weather/"]);
});

Deno.test("texts with nothing in common are marked whole, equal ones not at all", () => {
  assert.deepEqual(marked("http", "https"), ["[http]", "[https]"]);
  assert.deepEqual(marked("same", "same"), ["same", "same"]);
  assert.deepEqual(marked("", "new"), ["", "[new]"]);
});

Deno.test("what repeats is marked once", () => {
  assert.deepEqual(marked("a a", "a a a"), ["a a", "a a[ a]"]);
});

Deno.test("the pieces of a text are the text, whatever is in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) => {
      const result = markDifferences(before, after);
      assert.equal(result.before.map(({ text }) => text).join(""), before);
      assert.equal(result.after.map(({ text }) => text).join(""), after);
      assert.equal(result.before.some(({ changed }) => changed) && before === after, false);
    }),
  );
});
