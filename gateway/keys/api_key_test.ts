import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { apiKeyPreview, generateApiKey, isWellFormedApiKey } from "./api_key.ts";

const BASE62 = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];

const anyKey = fc.constant(null).map(generateApiKey);
const base62 = (length: number) =>
  fc.string({ unit: fc.constantFrom(...BASE62), minLength: length, maxLength: length });

Deno.test("a key is ptk_, 30 base62 characters and 6 more, and is well-formed", () => {
  fc.assert(fc.property(anyKey, (key) => {
    assert.match(key, /^ptk_[0-9A-Za-z]{36}$/);
    assert.ok(isWellFormedApiKey(key));
  }));
});

Deno.test("the last 6 characters spell the CRC-32 of what precedes, in base62", () => {
  fc.assert(fc.property(anyKey, (key) => {
    const spelled = [...key.slice(-6)].reduce((sum, char) => sum * 62 + BASE62.indexOf(char), 0);
    assert.equal(spelled, crc32(key.slice(0, -6)));
  }));
});

Deno.test("a key with one character changed is malformed", () => {
  fc.assert(
    fc.property(anyKey, fc.nat(39), fc.string({ minLength: 1, maxLength: 1 }), (key, at, char) => {
      fc.pre(key[at] !== char);
      assert.ok(!isWellFormedApiKey(key.slice(0, at) + char + key.slice(at + 1)));
    }),
  );
});

Deno.test("a key with two neighbours swapped is malformed", () => {
  fc.assert(fc.property(anyKey, fc.integer({ min: 0, max: 38 }), (key, at) => {
    fc.pre(key[at] !== key[at + 1]);
    const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
    assert.ok(!isWellFormedApiKey(swapped));
  }));
});

Deno.test("random text is malformed, whatever its length", () => {
  fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => !isWellFormedApiKey(text)));
  fc.assert(fc.property(base62(36), (text) => !isWellFormedApiKey(`ptk_${text}`)));
  assert.ok(!isWellFormedApiKey("ptk_".padEnd(40, "\u0130")));
});

Deno.test("a key with something around it is malformed", () => {
  const key = generateApiKey();
  for (const text of ["", ` ${key}`, `${key}\n`, key + key, key.slice(1), key.toLowerCase()]) {
    assert.ok(!isWellFormedApiKey(text), text);
  }
});

Deno.test("every character is as likely as any other in each place", () => {
  const counts = new Map(BASE62.map((char) => [char, 0]));
  const keys = 4000;
  for (let i = 0; i < keys; i++) {
    for (const char of generateApiKey().slice(4, 34)) counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  const expected = keys * 30 / 62;
  const chiSquare = [...counts.values()].reduce(
    (sum, n) => sum + (n - expected) ** 2 / expected,
    0,
  );
  assert.ok(chiSquare < 150, `chi-square ${chiSquare} with 61 degrees of freedom`);
});

Deno.test("no two keys are alike, and the preview is the beginning of a key", () => {
  const keys = new Set(Array.from({ length: 10_000 }, generateApiKey));
  assert.equal(keys.size, 10_000);
  for (const key of keys) {
    assert.ok(key.startsWith(apiKeyPreview(key)));
    assert.equal(apiKeyPreview(key).length, 10);
  }
});
