import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Hash } from "../limit/keyed_hash.ts";
import { inIsolate } from "../limit/testing_isolate.ts";
import { CacheMemory, LOCK, newCacheMemory, UNDER_CHANGE } from "./memory.ts";
import { SharedAnswers } from "./shared_answers.ts";
import type { HammerReport, HammerTask } from "./testing_hammer.ts";

function opened(bytes = 2 ** 20) {
  const memory = new CacheMemory(newCacheMemory(bytes));
  return { memory, answers: new SharedAnswers(memory) };
}

const hashOf = (n: number): Hash => ({ high: Math.imul(n, 0x9e3779b1), low: n });
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

function store(answers: SharedAnswers, n: number, body = `body ${n}`, changes?: number) {
  const hash = hashOf(n);
  return answers.store(hash, {
    head: bytesOf(`head ${n}`),
    body: bytesOf(body),
    replaced: [],
    changes: changes ?? answers.changes(hash),
  });
}

function bodyAt(answers: SharedAnswers, n: number): string | null {
  const [entry] = answers.find(hashOf(n));
  const body = entry === undefined ? null : answers.body(entry);
  return body === null ? null : Buffer.from(body).toString();
}

Deno.test("what one isolate stores another one reads, over any number of blocks", () => {
  const { memory, answers } = opened();
  const other = new SharedAnswers(memory);
  for (const [n, length] of [0, 1, 1017, 1018, 1019, 5000, 200_000].entries()) {
    const body = "x".repeat(length) + n;
    store(answers, n, body);
    const [entry] = other.find(hashOf(n));
    assert.ok(entry);
    assert.equal(Buffer.from(other.head(entry) ?? []).toString(), `head ${n}`);
    assert.equal(bodyAt(other, n), body);
  }
});

Deno.test("what was used last stays when room is made", () => {
  const { answers } = opened();
  const entry = store(answers, 0, "kept");
  assert.ok(entry);
  for (let n = 1; n < 2000; n++) {
    store(answers, n, "x".repeat(3000));
    answers.use(entry);
  }
  assert.equal(bodyAt(answers, 0), "kept");
  assert.equal(bodyAt(answers, 1), null);
  assert.equal(bodyAt(answers, 1999), "x".repeat(3000));
  const { bytes, maxBytes } = answers.usage;
  assert.ok(bytes <= maxBytes && bytes > maxBytes * 0.9);
});

Deno.test("what is read of an entry counts no more once it was given up", () => {
  const { answers } = opened();
  const entry = store(answers, 1);
  assert.ok(entry);
  assert.equal(answers.remove([entry]), 1);
  assert.equal(answers.remove([entry]), 0);
  store(answers, 2); // in the same slot and block
  assert.equal(answers.isCurrent(entry), false);
  assert.equal(answers.body(entry), null);
  assert.equal(bodyAt(answers, 2), "body 2");
});

Deno.test("an answer that is too large for the memory is not stored", () => {
  const { answers } = opened();
  store(answers, 1);
  assert.equal(store(answers, 2, "x".repeat(2 ** 20)), null);
  assert.equal(bodyAt(answers, 1), "body 1");
});

Deno.test("what was asked for before a change or a purge is not stored after it", async () => {
  const { answers } = opened();
  const before = answers.changes(hashOf(1));
  answers.change(hashOf(1));
  assert.equal(store(answers, 1, "old", before), null);
  const again = answers.changes(hashOf(1));
  await answers.purge(() => false);
  assert.equal(store(answers, 1, "old", again), null);
  assert.equal(answers.usage.entries, 0);
  assert.equal(answers.usage.bytes, 0);
});

Deno.test("a purge gives up those whose head is meant, and tells how many", async () => {
  const { answers } = opened();
  for (let n = 0; n < 300; n++) store(answers, n);
  const purged = await answers.purge((head) => Buffer.from(head).toString().endsWith("7"));
  assert.equal(purged, 30);
  assert.equal(bodyAt(answers, 7), null);
  assert.equal(bodyAt(answers, 8), "body 8");
  assert.equal(answers.purgeAll(), 270);
  assert.equal(bodyAt(answers, 8), null);
  store(answers, 8, "anew");
  assert.equal(bodyAt(answers, 8), "anew");
});

Deno.test("when an isolate ends in the midst of a change the cache starts over, empty", () => {
  const { memory, answers } = opened();
  const entry = store(answers, 1);
  assert.ok(entry);
  memory.words[LOCK] = 12_345; // held by nobody that lives
  memory.words[UNDER_CHANGE] = 1;
  assert.equal(bodyAt(answers, 1), null);
  assert.equal(answers.isCurrent(entry), false);
  store(answers, 2);
  assert.equal(bodyAt(answers, 2), "body 2");
});

Deno.test("bytes that are not those that were written are given to nobody", () => {
  const { memory, answers } = opened();
  store(answers, 1, "right");
  const at = Buffer.from(memory.buffer).indexOf("right");
  memory.bytes[at] = 0;
  assert.equal(bodyAt(answers, 1), null);
  assert.equal(answers.usage.entries, 0);
});

Deno.test("chains and buckets that lead nowhere empty the cache, and do no more harm", () => {
  const parts = ["slots", "chains", "buckets"] as const;
  for (
    const [part, garbage] of parts.flatMap((part) =>
      [7, -7, 2 ** 30].map((n) => [part, n] as const)
    )
  ) {
    const { memory, answers } = opened();
    for (let n = 0; n < 50; n++) store(answers, n, "x".repeat(3000));
    const at = { slots: memory.slotsAt, chains: memory.chainsAt, buckets: memory.bucketsAt }[part];
    memory.words.fill(garbage, at, at + 160);
    for (let n = 0; n < 400; n++) {
      store(answers, n, `again ${n}`.padEnd(3000));
      for (const back of [0, 10, 100]) {
        const body = bodyAt(answers, n - back);
        assert.ok(body === null || body.startsWith("x") || body.startsWith(`again ${n - back}`));
      }
    }
    store(answers, 1, "fine");
    assert.equal(bodyAt(answers, 1), "fine");
  }
});

Deno.test("four isolates at once: each answer read is the one stored under its key", async () => {
  const memory = newCacheMemory(2 ** 20); // full all the time
  const task = { memory, start: new SharedArrayBuffer(4), isolates: 4, keys: 200, rounds: 20_000 };
  const reports = await Promise.all([1, 2, 3, 4].map((seed) => hammer({ ...task, seed })));
  assert.equal(reports.reduce((sum, { wrong }) => sum + wrong, 0), 0);
  for (const { hits, stored } of reports) assert.ok(hits > 100 && stored > 100);
  const { entries } = new SharedAnswers(new CacheMemory(memory)).usage;
  assert.ok(entries > 10, "the cache has not been emptied because of damage");
});

function hammer(task: HammerTask): Promise<HammerReport> {
  return inIsolate(new URL("./testing_hammer.ts", import.meta.url), task);
}
