import assert from "node:assert/strict";
import { byteSize, hitRate, purgedWords } from "./cache_words.ts";

Deno.test("bytes are told in the unit that leaves a short number", () => {
  const sizes = [0, 1023, 1536, 256 * 2 ** 20, 2 ** 41].map(byteSize);
  assert.deepEqual(sizes, ["0 bytes", "1,023 bytes", "1.5 KiB", "256 MiB", "2,048 GiB"]);
});

Deno.test("hits are told beside all calls that could have been one", () => {
  assert.equal(hitRate({ hits: 0, misses: 0 }), "No call yet that it could have answered.");
  assert.equal(
    hitRate({ hits: 1999, misses: 1 }),
    "1,999 of 2,000 calls that could be (99 %), since the start.",
  );
});

Deno.test("a purge says how many answers and which", () => {
  assert.equal(purgedWords(0, "below /a/"), "There was no answer to give up: below /a/.");
  assert.equal(purgedWords(1, "below /a/"), "1 answer was given up: below /a/.");
  assert.equal(purgedWords(1200, "all of them"), "1,200 answers were given up: all of them.");
});
