import assert from "node:assert/strict";
import { Store } from "./store.ts";
import { withFolder } from "./testing.ts";

Deno.test("commits with checks by two isolates at once all take place", () =>
  withFolder(async (folder) => {
    const path = `${folder}/portico.kv`;
    const stores = [await Store.open(path), await Store.open(path)];
    const results = await Promise.all(
      stores.flatMap(({ kv }, isolate) =>
        Array.from({ length: 100 }, (_, i) => {
          const key = ["test", isolate, i];
          return kv.atomic().check({ key, versionstamp: null }).set(key, i)
            .sum(["count"], 1n).commit();
        })
      ),
    );
    assert.ok(results.every(({ ok }) => ok));
    const count = await stores[0]?.kv.get<Deno.KvU64>(["count"]);
    assert.equal(count?.value?.value, 200n);
    for (const store of stores) store.close();
  }));
