import assert from "node:assert/strict";
import fc from "fast-check";
import { Glob } from "./glob.ts";

Deno.test("a star stands for any characters, none included; the whole text must match", () => {
  const glob = new Glob("https://*.example.org/*");
  assert.ok(glob.matches("https://www.example.org/"));
  assert.ok(glob.matches("https://a.b.example.org/x/y?z"));
  assert.ok(!glob.matches("https://example.org/"));
  assert.ok(!glob.matches("xhttps://www.example.org/"));
  assert.ok(new Glob("*").matches(""));
  assert.ok(!new Glob("ab*ba").matches("aba"));
  assert.ok(new Glob("ab**ba").matches("abba"));
});

Deno.test("letters of both cases are alike, other characters are themselves", () => {
  assert.ok(new Glob("https://Example.org/A.B+").matches("https://example.org/a.b+"));
  assert.ok(!new Glob("https://example.org/").matches("https://exampleXorg/".toLowerCase()));
});

Deno.test("a glob matches what the same regular expression does", () => {
  const letters = fc.constantFrom("a", "b", ".");
  const pattern = fc.string({ unit: fc.oneof(letters, fc.constant("*")), maxLength: 8 });
  const text = fc.string({ unit: letters, maxLength: 10 });
  fc.assert(
    fc.property(pattern, text, (pattern, text) => {
      const source = pattern.split("*").map((piece) => RegExp.escape(piece)).join(".*");
      assert.equal(new Glob(pattern).matches(text), new RegExp(`^${source}$`, "s").test(text));
    }),
    { numRuns: 2000 },
  );
});

Deno.test("many stars and a long text that almost matches come to an end", () => {
  // Trying every way to divide the text would take longer than anybody waits.
  assert.ok(!new Glob(`${"*a".repeat(200)}b`).matches("a".repeat(8000)));
});
