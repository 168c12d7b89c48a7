import assert from "node:assert/strict";
import { waitWords } from "./wait_words.ts";

Deno.test("a wait is told in a unit that a person would take, and never too short", () => {
  assert.equal(waitWords(1), "in 1 second");
  assert.equal(waitWords(119), "in 119 seconds");
  assert.equal(waitWords(121), "in 3 minutes");
  assert.equal(waitWords(7199), "in 120 minutes");
  assert.equal(waitWords(7200), "in 2 hours");
  assert.equal(waitWords(2_000_000), "in 24 days");
});
