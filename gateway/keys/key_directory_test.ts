import assert from "node:assert/strict";
import { until } from "../../tests/harness/until.ts";
import { apiKeyKeys } from "../store/keys.ts";
import { serverSecret } from "../store/server_secret.ts";
import { Store } from "../store/store.ts";
import { countReads, silentLog, withFolder } from "../store/testing.ts";
import { SignupLimit } from "../users/signup_limit.ts";
import { Users } from "../users/users.ts";
import { apiKeyPreview, generateApiKey } from "./api_key.ts";
import { KeyDirectory } from "./key_directory.ts";
import { hashApiKey } from "./key_hash.ts";
import { storedHolder } from "./key_holder.ts";
import type { KeyLookup } from "./key_lookup.ts";
import { lookupOn } from "./testing.ts";

const jane = { email: "jane@example.com", first_name: "Jane", last_name: "Doe" };

/** What one isolate or process has of a store. */
interface Node {
  readonly store: Store;
  readonly secret: Uint8Array;
  readonly directory: KeyDirectory;
  readonly keys: KeyLookup;
  readonly users: Users;
}

async function withNodes(count: number, work: (...nodes: Node[]) => Promise<void>) {
  await withFolder(async (folder) => {
    const nodes: Node[] = [];
    for (let i = 0; i < count; i++) nodes.push(await openNode(`${folder}/portico.kv`));
    try {
      await work(...nodes);
    } finally {
      for (const { directory, store } of nodes) {
        await directory.close();
        store.close();
      }
    }
  });
}

async function openNode(path: string): Promise<Node> {
  const store = await Store.open(path);
  const secret = await serverSecret(store, null);
  const directory = new KeyDirectory(store, silentLog);
  const users = new Users({ store, secret, keys: directory, signupLimit: new SignupLimit(30) });
  return { store, secret, directory, keys: lookupOn(directory, secret), users };
}

Deno.test("a key used before is found at once, without a read", () =>
  withNodes(1, async ({ store, keys, users }) => {
    const { user, api_key } = await users.create(jane, "admin");
    assert.equal((await keys.find(api_key))?.id, user.id);
    const counter = countReads(store.kv);
    for (let i = 0; i < 1000; i++) {
      const holder = keys.find(api_key);
      assert.ok(!(holder instanceof Promise));
      assert.equal(holder?.id, user.id);
    }
    assert.equal(counter.reads, 0);
  }));

Deno.test("a malformed key is refused at once, before anything is loaded too", () =>
  withNodes(1, ({ keys }) => {
    for (const key of ["", "ptk_", "x".repeat(40), `${generateApiKey()}x`, "x".repeat(100_000)]) {
      assert.equal(keys.find(key), null);
    }
    return Promise.resolve();
  }));

Deno.test("a flood of unknown but well-formed keys causes no store reads", () =>
  withNodes(1, async ({ store, directory, keys, users }) => {
    await users.create(jane, "admin");
    await directory.ready;
    const counter = countReads(store.kv);
    for (let i = 0; i < 5000; i++) assert.equal(keys.find(generateApiKey()), null);
    assert.equal(counter.reads, 0);
  }));

Deno.test("a key that was removed is not asked for again and again", () =>
  withNodes(1, async ({ store, directory, keys, users }) => {
    const { user, api_key } = await users.create(jane, "admin");
    await directory.ready;
    await keys.find(api_key);
    await users.remove(user.id);
    const counter = countReads(store.kv);
    for (let i = 0; i < 100; i++) assert.equal(await keys.find(api_key), null);
    assert.equal(counter.reads, 0);
  }));

Deno.test("many calls at once with one key read it once", () =>
  withNodes(1, async ({ store, directory, keys, users }) => {
    const { user, api_key } = await users.create(jane, "admin");
    await directory.ready;
    const counter = countReads(store.kv);
    const holders = await Promise.all(Array.from({ length: 100 }, () => keys.find(api_key)));
    assert.ok(holders.every((holder) => holder?.id === user.id));
    assert.equal(counter.reads, 1);
  }));

Deno.test("keys are found while they are still being loaded after a restart", () =>
  withNodes(1, async ({ store, secret, users }) => {
    const { user, api_key } = await users.create(jane, "admin");
    const directory = new KeyDirectory(store, silentLog);
    const restarted = lookupOn(directory, secret);
    assert.equal((await restarted.find(api_key))?.id, user.id);
    assert.equal(await restarted.find(generateApiKey()), null);
    await directory.ready;
    assert.equal((await restarted.find(api_key))?.id, user.id);
    await directory.close();
  }));

Deno.test("what another isolate changes is followed: new, disabled and removed keys", () =>
  withNodes(2, async (here, there) => {
    await there.directory.ready;
    const { user, api_key } = await here.users.create(jane, "admin");
    await until(async () => (await there.keys.find(api_key))?.id === user.id, "the new key");
    await here.users.change(user.id, { enabled: false }, "admin");
    await until(
      async () => (await there.keys.find(api_key))?.enabled === false,
      "the disabled key",
    );
    await here.users.remove(user.id);
    await until(async () => await there.keys.find(api_key) === null, "the removed key");
  }));

Deno.test("a burst of changes larger than a revision names is caught up with by loading anew", () =>
  withNodes(2, async (here, there) => {
    const { user, api_key } = await here.users.create(jane, "admin");
    await until(async () => (await there.keys.find(api_key))?.id === user.id, "the new key");
    await here.users.change(user.id, { enabled: false }, "admin");
    const later = await here.users.create(jane, "admin");
    // As if 1000 further changes had come before the watch was told of any.
    const revision = await here.store.kv.get<{ sequence: number }>(apiKeyKeys.revision);
    const sequence = (revision.value?.sequence ?? 0) + 1000;
    await here.store.kv.set(apiKeyKeys.revision, { sequence, recent: [] });
    await until(
      async () => (await there.keys.find(api_key))?.enabled === false,
      "the disabled key",
    );
    await until(
      async () => (await there.keys.find(later.api_key))?.id === later.user.id,
      "the later key",
    );
  }));

Deno.test("a change during a read is not lost: the old holder is not kept in memory", () =>
  withNodes(1, async ({ store, directory, keys, users }) => {
    const { user, api_key } = await users.create(jane, "admin");
    await directory.ready;
    const { get } = store.kv;
    const held = Promise.withResolvers<void>();
    store.kv.get = async (...args) => {
      const entry = await get.apply(store.kv, args);
      if (args[0][0] === "api_keys" && args[0][1] === "holder") await held.promise;
      return entry as never;
    };
    const during = keys.find(api_key);
    await Promise.resolve();
    store.kv.get = get;
    await users.change(user.id, { enabled: false }, "admin");
    held.resolve();
    await during;
    assert.equal((await keys.find(api_key))?.enabled, false);
  }));

Deno.test("twenty thousand keys are all known after a start, and calls are served meanwhile", () =>
  withNodes(1, async ({ store, secret, users }) => {
    const { user, api_key } = await users.create(jane, "admin");
    const holder = storedHolder(user);
    for (let batch = 0; batch < 40; batch++) {
      const commit = store.kv.atomic();
      for (let i = 0; i < 500; i++) {
        commit.set(apiKeyKeys.holder(crypto.getRandomValues(new Uint8Array(32))), holder);
      }
      await commit.commit();
    }
    const last = generateApiKey();
    const itsHolder = { ...holder, api_key_preview: apiKeyPreview(last) };
    await store.kv.set(apiKeyKeys.holder(hashApiKey(secret, last)), itsHolder);

    const directory = new KeyDirectory(store, silentLog);
    const restarted = lookupOn(directory, secret);
    assert.equal((await restarted.find(api_key))?.id, user.id);
    await directory.ready;
    const counter = countReads(store.kv);
    for (let i = 0; i < 1000; i++) assert.equal(await restarted.find(generateApiKey()), null);
    assert.equal(counter.reads, 0);
    assert.equal((await restarted.find(last))?.id, user.id);
    await directory.close();
  }));

Deno.test("a key from before previews were kept with keys is found, and others still are not", () =>
  withNodes(1, async ({ store, secret, users }) => {
    const { user } = await users.create(jane, "admin");
    const { api_key_preview: _unknown, ...older } = storedHolder(user);
    const key = generateApiKey();
    await store.kv.set(apiKeyKeys.holder(hashApiKey(secret, key)), older);
    const directory = new KeyDirectory(store, silentLog);
    const restarted = lookupOn(directory, secret);
    await directory.ready;
    assert.equal((await restarted.find(key))?.id, user.id);
    assert.equal(await restarted.find(generateApiKey()), null);
    await directory.close();
  }));
