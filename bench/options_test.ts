import assert from "node:assert/strict";
import { readOptions } from "./options.ts";

Deno.test("everything is measured five times for four seconds unless told otherwise", () => {
  assert.deepEqual(readOptions([]), { rounds: 5, seconds: 4, only: null, keep: false });
  assert.deepEqual(readOptions(["--quick", "--rounds", "3"]), {
    rounds: 3,
    seconds: 2,
    only: null,
    keep: false,
  });
});

Deno.test("cases are named with commas between them", () => {
  assert.deepEqual(readOptions(["--only", "plain,guarded"]).only, new Set(["plain", "guarded"]));
});

Deno.test("an option that does not exist, or no number, is refused by name", () => {
  assert.throws(() => readOptions(["--fast"]), /--fast/);
  assert.throws(() => readOptions(["--rounds", "many"]), /--rounds/);
  assert.throws(() => readOptions(["--seconds", "0"]), /--seconds/);
});
