import assert from "node:assert/strict";
import * as v from "valibot";
import { userSettings } from "../records/user.ts";
import { HolderCache } from "./holder_cache.ts";
import { type KeyHolder, keyHolder } from "./key_holder.ts";

const holder = (number: number): KeyHolder =>
  keyHolder({
    id: String(number),
    email: "",
    enabled: true,
    roles: [],
    settings: v.parse(userSettings, {}),
    created_at: "2030-01-01T00:00:00.000Z",
  });

const fingerprint = (number: number) => new Uint8Array([0, 0, 0, 0, 0, 0, number >> 8, number]);

function filled(size: number, count: number): HolderCache {
  const cache = new HolderCache(size);
  for (let i = 0; i < count; i++) cache.set(`key ${i}`, fingerprint(i), holder(i));
  return cache;
}

const held = (cache: HolderCache, count: number) =>
  Array.from({ length: count }, (_, i) => cache.get(`key ${i}`)).filter((it) => it !== undefined);

Deno.test("the latest keys are held, and never more than twice the size", () => {
  const cache = filled(10, 35);
  for (let i = 25; i < 35; i++) assert.equal(cache.get(`key ${i}`)?.id, String(i));
  assert.ok(held(filled(10, 1000), 1000).length <= 20);
});

Deno.test("a key that is used stays, however many others come", () => {
  const cache = filled(10, 1);
  for (let i = 1; i < 500; i++) {
    cache.set(`key ${i}`, fingerprint(i), holder(i));
    assert.equal(cache.get("key 0")?.id, "0");
  }
});

Deno.test("a dropped key is gone from wherever it was held; others stay", () => {
  const cache = filled(10, 15);
  cache.get("key 1"); // held twice from here on
  for (const number of [1, 2, 14, 99]) cache.drop(fingerprint(number));
  for (const number of [1, 2, 14]) assert.equal(cache.get(`key ${number}`), undefined);
  assert.equal(cache.get("key 3")?.id, "3");
  cache.clear();
  assert.equal(held(cache, 15).length, 0);
});
