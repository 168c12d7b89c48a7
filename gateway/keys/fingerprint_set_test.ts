import assert from "node:assert/strict";
import fc from "fast-check";
import { FingerprintSet } from "./fingerprint_set.ts";
import type { ReaderResult, ReaderTask } from "./testing_reader.ts";

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

Deno.test("a reader in another isolate misses nothing, whatever is added and deleted meanwhile", async () => {
  const set = new FingerprintSet();
  const random = () => crypto.getRandomValues(new Uint8Array(32));
  const present = Array.from({ length: 200 }, random);
  for (const hash of present) set.add(hash);
  const stop = new SharedArrayBuffer(4);
  const reader = new Worker(new URL("./testing_reader.ts", import.meta.url), { type: "module" });
  const messages = messagesOf(reader);
  reader.postMessage({ memory: set.memory, present, stop } satisfies ReaderTask);
  await messages.next();
  const others: Uint8Array[] = [];
  for (let i = 0; i < 200_000; i++) {
    const hash = random();
    set.add(hash);
    others.push(hash);
    if (others.length > 400) set.delete(others.shift() ?? hash);
  }
  for (let i = 0; i < 5000; i++) set.add(random()); // it moves to larger memory
  Atomics.store(new Int32Array(stop), 0, 1);
  const { looked, missed } = await messages.next() as ReaderResult;
  reader.terminate();
  assert.ok(looked > 0);
  assert.equal(missed, 0);
});

function messagesOf(worker: Worker): { next(): Promise<unknown> } {
  const arrived: unknown[] = [];
  let wake = () => {};
  worker.onmessage = ({ data }) => {
    arrived.push(data);
    wake();
  };
  return {
    async next() {
      while (arrived.length === 0) {
        await new Promise<void>((resolve) => wake = resolve);
      }
      return arrived.shift();
    },
  };
}
