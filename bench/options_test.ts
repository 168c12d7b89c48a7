import assert from "node:assert/strict";
import { readOptions } from "./options.ts";

const read = (...args: string[]) => readOptions(args, new Set(["plain", "guarded"]));

Deno.test("everything is measured five times for four seconds unless told otherwise", () => {
  assert.deepEqual(read(), { rounds: 5, seconds: 4, only: null, keep: false });
  assert.deepEqual(read("--quick", "--rounds", "3"), {
    rounds: 3,
    seconds: 2,
    only: null,
    keep: false,
  });
});

Deno.test("cases are named with commas between them", () => {
  assert.deepEqual(read("--only", "plain,guarded").only, new Set(["plain", "guarded"]));
});

Deno.test("an option that does not exist, or no number, is refused by name", () => {
  assert.throws(() => read("--fast"), /--fast/);
  assert.throws(() => read("--rounds", "many"), /--rounds/);
  assert.throws(() => read("--seconds", "0"), /--seconds/);
  assert.throws(() => read("--only", "plain,guraded"), /"guraded".* plain, guarded/);
});
