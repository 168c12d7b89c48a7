import assert from "node:assert/strict";
import { Store } from "./store.ts";
import { watchKey } from "./watch.ts";

const KEY = ["test"];

/** Resolves when `value` has been seen. */
function seenValues() {
  const values: unknown[] = [];
  let check = () => {};
  return {
    values,
    push: (value: unknown) => {
      values.push(value);
      check();
    },
    until: (value: unknown) =>
      new Promise<void>((resolve) => {
        check = () => {
          if (values.includes(value)) resolve();
        };
        check();
      }),
  };
}

Deno.test("a watch tells the value of now and of every later change", async () => {
  const store = await Store.open(":memory:");
  const seen = seenValues();
  const watch = watchKey<number>(
    store,
    KEY,
    (entry) => Promise.resolve(seen.push(entry.value)),
    (error) => assert.fail(String(error)),
  );
  await seen.until(null);
  await store.kv.set(KEY, 1);
  await seen.until(1);
  await store.kv.set(KEY, 2);
  await seen.until(2);
  await watch.close();
  store.close();
});

Deno.test("a watch whose listener fails says so, and begins anew", async () => {
  const store = await Store.open(":memory:");
  const seen = seenValues();
  const failures: unknown[] = [];
  const watch = watchKey<number>(
    store,
    KEY,
    (entry) => {
      if (failures.length === 0) return Promise.reject(new Error("not now"));
      return Promise.resolve(seen.push(entry.value));
    },
    (error) => failures.push(error),
  );
  await store.kv.set(KEY, 1);
  await seen.until(1);
  assert.equal(failures.length, 1);
  await watch.close();
  store.close();
});

Deno.test("a closed watch waits for what it handles, and then is still", async () => {
  const store = await Store.open(":memory:");
  const handling = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  let ended = false;
  const watch = watchKey(
    store,
    KEY,
    async () => {
      begun.resolve();
      await handling.promise;
      ended = true;
    },
    (error) => assert.fail(String(error)),
  );
  await begun.promise;
  const closed = watch.close();
  handling.resolve();
  await closed;
  assert.ok(ended);
  store.close();
});
