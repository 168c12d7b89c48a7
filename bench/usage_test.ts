import assert from "node:assert/strict";
import { calmest } from "./usage.ts";

function measurements(...disturbed: (number | null)[]) {
  let taken = 0;
  const measure = () => Promise.resolve({ disturbed: disturbed[taken++] ?? null });
  return { measure, taken: () => taken };
}

Deno.test("a measurement that nobody disturbed is taken once", async () => {
  for (const calm of [0.05, null]) {
    const { measure, taken } = measurements(calm);
    assert.equal((await calmest(measure)).disturbed, calm);
    assert.equal(taken(), 1);
  }
});

Deno.test("a disturbed one is repeated twice at most, and the calmest counts", async () => {
  const { measure, taken } = measurements(0.5, 0.2, 0.3, 0);
  assert.equal((await calmest(measure)).disturbed, 0.2);
  assert.equal(taken(), 3);
});
