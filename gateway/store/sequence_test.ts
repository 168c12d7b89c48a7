import assert from "node:assert/strict";
import { drawNumber } from "./sequence.ts";
import { Store } from "./store.ts";

Deno.test("numbers drawn at once are all different, without a gap", async () => {
  const store = await Store.open(":memory:");
  const drawn = await Promise.all(
    Array.from({ length: 20 }, () => drawNumber(store, ["test"])),
  );
  assert.deepEqual(drawn.sort((a, b) => a - b), Array.from({ length: 20 }, (_, i) => i + 1));
  store.close();
});
