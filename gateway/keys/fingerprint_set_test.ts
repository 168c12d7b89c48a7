import assert from "node:assert/strict";
import fc from "fast-check";
import { FingerprintReader, FingerprintSet } from "./fingerprint_set.ts";

/** Few different ones, and all near each other, so that they get in each other's way. */
const crowded = fc.tuple(fc.nat(3), fc.nat(3), fc.constantFrom(0, 1, 255))
  .map(([high, low, edge]) => new Uint8Array([edge, edge, edge, edge && 252 + high, 0, 0, 0, low]));

const numberOf = (hash: Uint8Array) =>
  new DataView(hash.buffer).getBigUint64(0) | (hash[7] === 0 ? 1n : 0n);

Deno.test("a set of fingerprints holds what was added and not deleted, whatever the order", () => {
  const step = fc.record({ hash: crowded, adds: fc.boolean() });
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const set = new FingerprintSet();
    const model = new Map<bigint, Uint8Array>();
    for (const { hash, adds } of steps) {
      if (adds) set.add(hash), model.set(numberOf(hash), hash);
      else set.delete(hash), model.delete(numberOf(hash));
    }
    assert.equal(set.size, model.size);
    for (const { hash } of steps) assert.equal(set.has(hash), model.has(numberOf(hash)));
  }));
});

Deno.test("a set grows far beyond what it was made for", () => {
  const set = new FingerprintSet();
  const hashes = Array.from(
    { length: 5000 },
    () => crypto.getRandomValues(new Uint8Array(32)),
  );
  for (const hash of hashes) set.add(hash);
  assert.equal(set.size, 5000);
  assert.ok(hashes.every((hash) => set.has(hash)));
  assert.ok(!set.has(crypto.getRandomValues(new Uint8Array(32))));
  for (const hash of hashes) set.delete(hash);
  assert.equal(set.size, 0);
});

Deno.test("a reader says maybe while the set is being changed, and after it has moved or is out of date", () => {
  const set = new FingerprintSet();
  const stranger = crypto.getRandomValues(new Uint8Array(32));
  const reader = new FingerprintReader(set.memory);
  assert.equal(reader.mayHold(stranger), false);
  const changes = new Int32Array(set.memory, 0, 1);
  Atomics.add(changes, 0, 1); // as the writer does before a change
  assert.equal(reader.mayHold(stranger), true);
  Atomics.add(changes, 0, 1);
  assert.equal(reader.mayHold(stranger), false);
  for (let i = 0; i < 1000; i++) set.add(crypto.getRandomValues(new Uint8Array(32)));
  assert.equal(reader.mayHold(stranger), true, "it has grown into other memory");
  const later = new FingerprintReader(set.memory);
  assert.equal(later.mayHold(stranger), false);
  set.retire();
  assert.equal(later.mayHold(stranger), true);
});
