import assert from "node:assert/strict";
import { median, medianRatio, percentile } from "./statistics.ts";

Deno.test("the median is the middle one, or lies between the two in the middle", () => {
  assert.equal(median([9, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 9]), 3);
  assert.throws(() => median([]));
});

Deno.test("a percentile is a value that was measured", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.equal(percentile(hundred, 0.5), 50);
  assert.equal(percentile(hundred, 0.99), 99);
  assert.equal(percentile(hundred, 1), 100);
  assert.equal(percentile([7], 0.5), 7);
});

Deno.test("a round in which everything was slow does not move a ratio", () => {
  assert.equal(medianRatio([20, 200, 22], [10, 100, 11]), 2);
});
