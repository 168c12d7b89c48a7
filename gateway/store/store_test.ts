import assert from "node:assert/strict";
import { Store, StoreError } from "./store.ts";
import { storeKeys } from "./keys.ts";
import { withFolder } from "./testing.ts";

Deno.test("a store's folder is made for its owner alone, and what was written stays", () =>
  withFolder(async (folder) => {
    const path = `${folder}/data/portico.kv`;
    const first = await Store.open(path);
    await first.kv.set(["test"], "kept");
    first.close();
    assert.equal((await Deno.stat(`${folder}/data`)).mode! & 0o777, 0o700);
    assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
    const second = await Store.open(path);
    assert.equal((await second.kv.get(["test"])).value, "kept");
    second.close();
  }));

Deno.test("a place that cannot be written is named, with the way out", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/file`, "");
    await assert.rejects(Store.open(`${folder}/file/portico.kv`), (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /file\/portico\.kv cannot be used: .*Make its folder writable/);
      return true;
    });
    await assert.rejects(Store.open(folder), StoreError);
  }));

Deno.test("a file that is no store is refused as such", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/portico.kv`, "something else ".repeat(500));
    await assert.rejects(Store.open(`${folder}/portico.kv`), StoreError);
  }));

Deno.test("a store written by a newer Portico is left alone", () =>
  withFolder(async (folder) => {
    const path = `${folder}/portico.kv`;
    const store = await Store.open(path);
    await store.kv.set(storeKeys.format, 999);
    store.close();
    await assert.rejects(Store.open(path), /written by a newer Portico/);
  }));

Deno.test("a store that another process holds is refused, until that process ends", () =>
  withFolder(async (folder) => {
    const path = `${folder}/portico.kv`;
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        "--unstable-kv",
        `import { Store } from ${JSON.stringify(import.meta.resolve("./store.ts"))};
         await Store.open(${JSON.stringify(path)});
         console.log("open");
         await new Promise(() => setInterval(() => {}, 1000));`,
      ],
      stdout: "piped",
    }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    await assert.rejects(Store.open(path), new RegExp(`in use by process ${child.pid}`));
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    (await Store.open(path)).close();
  }));

Deno.test("one process may open a store several times", () =>
  withFolder(async (folder) => {
    const path = `${folder}/portico.kv`;
    const [first, second] = [await Store.open(path), await Store.open(path)];
    await first.kv.set(["test"], 1);
    assert.equal((await second.kv.get(["test"])).value, 1);
    first.close();
    second.close();
  }));
