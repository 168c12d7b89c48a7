import assert from "node:assert/strict";
import { apiKeyKeys } from "./keys.ts";
import { serverSecret } from "./server_secret.ts";
import { Store, StoreError } from "./store.ts";

async function withStore(work: (store: Store) => Promise<void>) {
  const store = await Store.open(":memory:");
  try {
    await work(store);
  } finally {
    store.close();
  }
}

Deno.test("without a configured secret one of 256 bits is made once and kept", () =>
  withStore(async (store) => {
    const [first, second] = await Promise.all([
      serverSecret(store, null),
      serverSecret(store, null),
    ]);
    assert.equal(first.length, 32);
    assert.deepEqual(second, first);
    assert.deepEqual(await serverSecret(store, null), first);
  }));

Deno.test("every store makes a secret of its own", () =>
  withStore((one) =>
    withStore(async (other) => {
      assert.notDeepEqual(await serverSecret(one, null), await serverSecret(other, null));
    })
  ));

Deno.test("a configured secret is taken as it is", () =>
  withStore(async (store) => {
    const secret = await serverSecret(store, "correct horse");
    assert.deepEqual(secret, new TextEncoder().encode("correct horse"));
    assert.deepEqual(await serverSecret(store, "correct horse"), secret);
  }));

Deno.test("a secret may change as long as no key has been handed out", () =>
  withStore(async (store) => {
    await serverSecret(store, null);
    await serverSecret(store, "correct horse");
    await store.kv.set(apiKeyKeys.holder(new Uint8Array(32)), {});
    await serverSecret(store, "correct horse");
  }));

Deno.test("a secret that changed is refused without showing either", () =>
  withStore(async (store) => {
    await serverSecret(store, "correct horse");
    await store.kv.set(apiKeyKeys.holder(new Uint8Array(32)), {});
    for (const other of ["battery staple", null]) {
      await assert.rejects(serverSecret(store, other), (error) => {
        assert.ok(error instanceof StoreError);
        assert.doesNotMatch(error.message, /correct horse|battery staple/);
        return true;
      });
    }
  }));
