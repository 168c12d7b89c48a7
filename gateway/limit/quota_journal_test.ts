import assert from "node:assert/strict";
import { quotaKeys } from "../store/keys.ts";
import { Store } from "../store/store.ts";
import { compileBucket } from "./compiled_limits.ts";
import { compileQuotas } from "./compiled_quotas.ts";
import { newLimitMemory } from "./limit_memory.ts";
import { QuotaJournal } from "./quota_journal.ts";
import { RateLimiter } from "./rate_limiter.ts";

const seed = { high: 1, low: 2 };
const bucket = compileBucket("*");
const [quota] = compileQuotas([{ period: "day", limit_by: "api_key", limit: 1000 }]);
const noon = Date.parse("2026-03-09T12:00:00Z");
const NEVER = 2 ** 31 - 1;

/** What one process after another does on the same store; it writes when it is told to. */
async function process(store: Store, now = noon) {
  assert.ok(quota);
  const { quotas, subjects } = new RateLimiter(newLimitMemory(seed));
  const problems: string[] = [];
  const journal = await QuotaJournal.open(store, quotas, {
    onProblem: (message) => problems.push(message),
    now: () => now,
    interval: NEVER,
  });
  return {
    journal,
    problems,
    call: (key: string, calls = 1) => {
      for (let call = 0; call < calls; call++) {
        quotas.take(quota, bucket, subjects.keyHolder(key), now);
      }
    },
    used: (key: string) => quotas.look(quota, bucket, subjects.keyHolder(key), now).used,
  };
}

async function entries(store: Store): Promise<Uint8Array[]> {
  const values: Uint8Array[] = [];
  for await (const { value } of store.kv.list<Uint8Array>({ prefix: quotaKeys.journal })) {
    values.push(value);
  }
  return values;
}

async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const store = await Store.open(":memory:");
  try {
    await work(store);
  } finally {
    store.close();
  }
}

Deno.test("what was counted goes on after a restart", () =>
  withStore(async (store) => {
    const first = await process(store);
    first.call("ada", 5);
    first.call("bob");
    await first.journal.close();
    const second = await process(store);
    assert.deepEqual([second.used("ada"), second.used("bob"), second.used("eve")], [5, 1, 0]);
    second.call("ada");
    await second.journal.close();
    const third = await process(store);
    assert.equal(third.used("ada"), 6);
    await third.journal.close();
  }));

Deno.test("what was written is there after a sudden end, what was not is lost", () =>
  withStore(async (store) => {
    const first = await process(store);
    first.call("ada", 5);
    await first.journal.flush();
    first.call("ada", 2);
    const second = await process(store);
    assert.equal(second.used("ada"), 5);
    await second.journal.close();
    await first.journal.close();
  }));

Deno.test("a second without calls writes nothing, one with a thousand of them one entry", () =>
  withStore(async (store) => {
    const { journal, call } = await process(store);
    await journal.flush();
    assert.equal((await entries(store)).length, 0);
    for (let key = 0; key < 1000; key++) call(String(key));
    await journal.flush();
    const [entry] = await entries(store);
    assert.equal(entry?.length, 1000 * 20);
    await journal.flush();
    assert.equal((await entries(store)).length, 1);
    await journal.close();
  }));

Deno.test("a hundred thousand callers are written and read within the store's limits", () =>
  withStore(async (store) => {
    const first = await process(store);
    for (let key = 0; key < 100_000; key++) first.call(String(key));
    await first.journal.close();
    for (const entry of await entries(store)) assert.ok(entry.length <= 65_536);
    const second = await process(store);
    for (let key = 0; key < 100_000; key += 997) assert.equal(second.used(String(key)), 1);
    await second.journal.close();
    assert.deepEqual(second.problems, []);
  }));

Deno.test("the journal does not grow for ever, and days that are over leave it", () =>
  withStore(async (store) => {
    const yesterday = await process(store, noon - 86_400_000);
    for (let key = 0; key < 1000; key++) yesterday.call(`old ${key}`);
    await yesterday.journal.close();
    const today = await process(store);
    for (let second = 0; second < 900; second++) {
      today.call("bob");
      await today.journal.flush();
    }
    await today.journal.close();
    const left = await entries(store);
    assert.ok(left.length < 600, String(left.length));
    assert.ok(left.every(({ length }) => length === 20), "nothing of yesterday");
    const next = await process(store);
    assert.equal(next.used("bob"), 900);
    await next.journal.close();
  }));

Deno.test("a store that cannot be written is told of once, and has everything when it can again", () =>
  withStore(async (store) => {
    const { journal, call, problems } = await process(store);
    const { atomic } = store.kv;
    store.kv.atomic = () => {
      throw new Error("disk full");
    };
    for (const key of ["ada", "bob", "eve"]) {
      call(key);
      await journal.flush();
    }
    assert.equal(problems.length, 1);
    store.kv.atomic = atomic;
    await journal.close();
    assert.equal(problems.length, 2);
    const next = await process(store);
    assert.deepEqual(["ada", "bob", "eve"].map(next.used), [1, 1, 1]);
    await next.journal.close();
  }));

Deno.test("of two processes on one store, the next one goes on from the higher number", () =>
  withStore(async (store) => {
    const [one, other] = [await process(store), await process(store)];
    one.call("ada", 3);
    other.call("ada", 5);
    await other.journal.close();
    await one.journal.close();
    const next = await process(store);
    assert.equal(next.used("ada"), 5);
    await next.journal.close();
  }));
