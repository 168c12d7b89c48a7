import assert from "node:assert/strict";
import { sparklinePath, sparklineWords } from "./sparkline_path.ts";

Deno.test("the highest count fills the box, the others are in proportion", () => {
  assert.equal(
    sparklinePath([10, 5, 0, 10], 40, 20),
    "M0 0h7.5v20h-7.5z" + "M10 10h7.5v10h-7.5z" + "M30 0h7.5v20h-7.5z",
  );
});

Deno.test("a single call beside thousands can still be seen", () => {
  assert.match(sparklinePath([10_000, 1], 20, 20), /M10 19h7\.5v1/);
});

Deno.test("no calls are no bars", () => {
  assert.equal(sparklinePath([0, 0, 0], 30, 20), "");
});

Deno.test("the same in words", () => {
  assert.equal(sparklineWords([0, 0]), "no calls in the last 2 hours");
  assert.equal(sparklineWords([1, 0]), "1 call in the last 2 hours, at most 1 in one");
  assert.equal(sparklineWords([1200, 34]), "1,234 calls in the last 2 hours, at most 1,200 in one");
});
