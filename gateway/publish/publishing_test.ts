import assert from "node:assert/strict";
import { until } from "../../tests/harness/until.ts";
import { Backends } from "../backends/backends.ts";
import type { Logger } from "../process/logger.ts";
import { publishKeys } from "../store/keys.ts";
import { Store } from "../store/store.ts";
import { fault, silentLog, withFolder } from "../store/testing.ts";
import { Websites } from "../websites/websites.ts";
import { type LiveVersion, Publishing } from "./publishing.ts";

const weather = {
  name: "Weather",
  servers: [{ host: "10.0.0.1", port: 80 }],
  url_matches: [{ frontend_prefix: "/weather/" }],
};

/** What one isolate or process has of a store. */
interface Node {
  readonly store: Store;
  readonly backends: Backends;
  readonly websites: Websites;
  readonly publishing: Publishing;
  close(): Promise<void>;
}

async function openNode(path: string, log: Logger = silentLog): Promise<Node> {
  const store = await Store.open(path);
  const backends = new Backends(store);
  const websites = new Websites(store);
  const publishing = await Publishing.open(store, { backends, websites }, log);
  const close = async () => {
    await publishing.close();
    store.close();
  };
  return { store, backends, websites, publishing, close };
}

async function withNodes(count: number, work: (...nodes: Node[]) => Promise<void>) {
  await withFolder(async (folder) => {
    const nodes: Node[] = [];
    for (let i = 0; i < count; i++) nodes.push(await openNode(`${folder}/portico.kv`));
    try {
      await work(...nodes);
    } finally {
      for (const node of nodes) await node.close();
    }
  });
}

/** A log that keeps what went wrong. */
function problems() {
  const lines: string[] = [];
  const note = (message: string) => void lines.push(message);
  return { lines, log: { ...silentLog, warn: note, error: note } };
}

const names = (live: LiveVersion | null) => live?.backends.map(({ name }) => name);

async function contentIds(store: Store): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { key } of store.kv.list({ prefix: ["publish", "content"] })) {
    ids.add(String(key[2]));
  }
  return ids;
}

/** Text that gzip cannot shorten. */
function noise(characters: number): string {
  return crypto.getRandomValues(new Uint8Array(characters)).toBase64().slice(0, characters);
}

/** Enough to need several pieces and several commits. */
async function createLargeBackends(backends: Backends, count: number) {
  for (let i = 0; i < count; i++) {
    const headers = Array.from({ length: 12 }, (_, n) => ({ key: `X-${n}`, value: noise(4000) }));
    await backends.create({ ...weather, name: `Large ${i}`, settings: { headers } }, "admin");
  }
}

Deno.test("nothing is live before the first publish, then all drafts are", () =>
  withNodes(1, async ({ backends, publishing }) => {
    const draft = await backends.create(weather, "jane");
    assert.equal(names(publishing.live), undefined);
    assert.deepEqual((await publishing.changes()).map(({ change }) => change), ["new"]);
    assert.deepEqual(await publishing.publish({ note: " First " }, "jane"), { version: 1 });
    assert.deepEqual(publishing.live?.backends, [draft]);
    assert.equal(publishing.live?.note, "First");
    assert.equal(publishing.live?.published_by, "jane");
    assert.deepEqual(await publishing.changes(), []);
  }));

Deno.test("publishing notes when a transition began, which makes no draft look changed", () =>
  withNodes(1, async ({ backends, publishing }) => {
    const settings = {
      require_https: "transition_return_error",
      require_https_transition_start_at: "2001-01-01T00:00:00Z",
    };
    const { id } = await backends.create({ ...weather, settings }, "jane");
    const start = () => publishing.live?.backends[0]?.settings.require_https_transition_start_at;
    await publishing.publish({}, "jane");
    const began = start();
    assert.equal(began, publishing.live?.published_at);
    assert.deepEqual(await publishing.changes(), []);

    await backends.change(id, { name: "Weather reports" }, "jane");
    const [change] = await publishing.changes();
    assert.deepEqual(change?.fields.map(({ path }) => path), ["name"]);
    await publishing.publish({}, "jane");
    assert.equal(start(), began);
  }));

Deno.test("what is live is the same after a restart", () =>
  withFolder(async (folder) => {
    const first = await openNode(`${folder}/portico.kv`);
    await first.backends.create(weather, "jane");
    await first.publishing.publish(undefined, "jane");
    const { live } = first.publishing;
    await first.close();
    const second = await openNode(`${folder}/portico.kv`);
    assert.deepEqual(second.publishing.live, live);
    await second.close();
  }));

Deno.test("only the chosen changes go live; others keep their live copy, or stay away", () =>
  withNodes(1, async ({ backends, publishing }) => {
    const [a, b, c] = [
      await backends.create({ ...weather, name: "A" }, "jane"),
      await backends.create({ ...weather, name: "B" }, "jane"),
      await backends.create({ ...weather, name: "C" }, "jane"),
    ];
    await publishing.publish({}, "jane");
    await backends.change(a.id, { name: "A2" }, "jane");
    await backends.change(b.id, { name: "B2" }, "jane");
    await backends.remove(c.id, undefined, "mary");
    const d = await backends.create({ ...weather, name: "D" }, "jane");

    await publishing.publish({ ids: [b.id] }, "jane");
    assert.deepEqual(names(publishing.live), ["A", "B2", "C"]);
    const left = await publishing.changes();
    assert.deepEqual(left.map(({ id, change }) => [id, change]), [
      [a.id, "modified"],
      [d.id, "new"],
      [c.id, "deleted"],
    ]);
    assert.equal(left[2]?.changed_by, "mary");

    await publishing.publish({ ids: [c.id, d.id] }, "jane");
    assert.deepEqual(names(publishing.live), ["A", "B2", "D"]);
    assert.equal((await backends.removals()).size, 0);
  }));

Deno.test("an unknown id is refused by its place, and nothing goes live", () =>
  withNodes(1, async ({ backends, publishing }) => {
    const { id } = await backends.create(weather, "jane");
    await assert.rejects(
      publishing.publish({ ids: [id, "nonsense", ""] }, "jane"),
      fault("INVALID_INPUT", "ids[1]", "ids[2]"),
    );
    await assert.rejects(publishing.publish({ ids: [] }, "jane"), fault("INVALID_INPUT", "ids"));
    await assert.rejects(publishing.publish({ id }, "jane"), fault("INVALID_INPUT", "id"));
    assert.equal(publishing.live, null);
  }));

Deno.test("publishing nothing is a conflict that says so", () =>
  withNodes(1, async ({ backends, publishing }) => {
    await assert.rejects(publishing.publish({}, "jane"), /nothing to publish/);
    const { id } = await backends.create(weather, "jane");
    await publishing.publish({}, "jane");
    await assert.rejects(publishing.publish({}, "jane"), fault("CONFLICT"));
    await assert.rejects(publishing.publish({ ids: [id] }, "jane"), fault("CONFLICT"));
    assert.equal(publishing.live?.version, 1);
  }));

Deno.test("of two publishes at once one wins, the other is a conflict and leaves nothing behind", () =>
  withNodes(2, async (here, there) => {
    await here.backends.create(weather, "jane");
    const results = await Promise.allSettled([
      here.publishing.publish({}, "jane"),
      here.publishing.publish({}, "mary"),
      there.publishing.publish({}, "sue"),
    ]);
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    for (const result of results) {
      if (result.status === "rejected") fault("CONFLICT")(result.reason);
    }
    assert.equal((await contentIds(here.store)).size, 1);
    assert.equal((await here.publishing.history()).length, 1);
  }));

Deno.test("whoever shares the store follows a publish, and so do subscribers, once each", () =>
  withNodes(2, async (here, there) => {
    const seen: number[] = [];
    there.publishing.subscribe(({ version }) => seen.push(version));
    await here.backends.create(weather, "jane");
    await here.publishing.publish({}, "jane");
    await until(() => there.publishing.live?.version === 1, "version 1");
    await here.backends.create(weather, "jane");
    await here.publishing.publish({}, "jane");
    await until(() => there.publishing.live?.version === 2, "version 2");
    assert.deepEqual(there.publishing.live, here.publishing.live);
    assert.deepEqual(seen, [1, 2]);
  }));

Deno.test("a publish right after one elsewhere builds on it, seen by the watch or not", () =>
  withNodes(2, async (here, there) => {
    await here.backends.create({ ...weather, name: "A" }, "jane");
    await here.publishing.publish({}, "jane");
    await there.backends.create({ ...weather, name: "B" }, "jane");
    assert.deepEqual(await there.publishing.publish({}, "jane"), { version: 2 });
    assert.deepEqual(names(there.publishing.live), ["A", "B"]);
  }));

Deno.test("a subscriber that fails keeps no other from its version", () =>
  withFolder(async (folder) => {
    const { lines, log } = problems();
    const node = await openNode(`${folder}/portico.kv`, log);
    const seen: number[] = [];
    node.publishing.subscribe(() => {
      throw new Error("broken");
    });
    node.publishing.subscribe(({ version }) => seen.push(version));
    await node.backends.create(weather, "jane");
    await node.publishing.publish({}, "jane");
    assert.deepEqual(seen, [1]);
    assert.equal(lines.length, 1);
    await node.close();
  }));

Deno.test("of a damaged version the one before is used, and said to be", () =>
  withFolder(async (folder) => {
    const node = await openNode(`${folder}/portico.kv`);
    await createLargeBackends(node.backends, 4);
    await node.publishing.publish({}, "jane");
    const intact = node.publishing.live;
    await node.backends.create(weather, "jane");
    await node.publishing.publish({}, "jane");
    const [version2] = await node.publishing.history();
    const key = publishKeys.piece(version2?.content?.id ?? "", 1);
    const piece = await node.store.kv.get<Uint8Array>(key);
    const damages = [
      () => node.store.kv.delete(key),
      () => node.store.kv.set(key, piece.value?.with(7, (piece.value[7] ?? 0) ^ 1)),
    ];
    for (const damage of damages) {
      await damage();
      const { lines, log } = problems();
      const restarted = await openNode(`${folder}/portico.kv`, log);
      assert.deepEqual(restarted.publishing.live, intact);
      assert.equal(lines.length, 1);
      await restarted.close();
    }
    const restarted = await openNode(`${folder}/portico.kv`);
    assert.deepEqual(await restarted.publishing.publish({}, "jane"), { version: 3 });
    assert.equal(restarted.publishing.live?.backends.length, 5);
    await restarted.close();
    await node.close();
  }));

Deno.test("the last 50 versions keep their content, older ones what was said about them", () =>
  withNodes(1, async ({ store, backends, publishing }) => {
    const { id } = await backends.create(weather, "jane");
    for (let i = 1; i <= 53; i++) {
      await backends.change(id, { name: `Weather ${i}` }, "jane");
      await publishing.publish({ note: `${i}` }, "jane");
    }
    const history = await publishing.history();
    assert.deepEqual(
      history.map(({ version }) => version),
      [...Array(50).keys()].map((i) => 53 - i),
    );
    assert.ok(history.every(({ content }) => content !== null));
    assert.deepEqual(history[0]?.changed_ids, [id]);
    const first = await store.kv.get<{ content: unknown; note: string }>(publishKeys.version(3));
    assert.equal(first.value?.content, null);
    assert.equal(first.value?.note, "3");
    assert.equal((await contentIds(store)).size, 50);
  }));

Deno.test("5000 backends publish at once and come back whole", () =>
  withFolder(async (folder) => {
    const node = await openNode(`${folder}/portico.kv`);
    const made = await node.backends.create(weather, "jane");
    // Written straight into the store: 5000 single creations are not what is asked here.
    for (let batch = 0; batch < 50; batch++) {
      const commit = node.store.kv.atomic();
      for (let i = 0; i < 100; i++) {
        const number = batch * 100 + i;
        const id = made.id.slice(0, -4) + number.toString(16).padStart(4, "0");
        const name = `${noise(40)} ${number}`;
        commit.set(["backends", "record", id], { ...made, id, name, created_order: number + 2 });
      }
      await commit.commit();
    }
    await node.publishing.publish({}, "jane");
    assert.ok((node.publishing.live?.backends.length ?? 0) >= 5000);
    const { live } = node.publishing;
    await node.close();
    const restarted = await openNode(`${folder}/portico.kv`);
    assert.deepEqual(restarted.publishing.live, live);
    await restarted.close();
  }));

Deno.test("killed in the middle of publishing, the store opens with a whole live version", () =>
  withFolder(async (folder) => {
    const path = `${folder}/portico.kv`;
    const setup = await openNode(path);
    await createLargeBackends(setup.backends, 30); // about 1.4 MB: two commits and the flip
    await setup.publishing.publish({}, "jane");
    await setup.close();

    let known = 1;
    for (let round = 0; round < 6; round++) {
      known = Math.max(known, await publishUntilKilled(path, 1 + round % 3));
      const { lines, log } = problems();
      const node = await openNode(path, log);
      assert.deepEqual(lines, []);
      const live = node.publishing.live;
      assert.ok(live !== null && live.version >= known, `${live?.version} after ${known}`);
      assert.equal(live.backends.length, 30);
      const referenced = (await node.publishing.history()).map(({ content }) => content?.id);
      assert.deepEqual([...await contentIds(node.store)].sort(), referenced.sort());
      known = live.version;
      await node.close();
    }
  }));

/**
 * Kills a publishing process at some moment after it began to write a version, of
 * so many; gives the last version that it told was live, 0 if none.
 */
async function publishUntilKilled(path: string, versions: number): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", new URL("./publish_in_a_loop.ts", import.meta.url).pathname, path],
    stdout: "piped",
  }).spawn();
  let told = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    told += text;
    if (told.split("staging").length <= versions) continue;
    const moment = performance.now() + Math.random() * 20; // ms, what writing and flipping take
    while (performance.now() < moment);
    child.kill("SIGKILL");
    break;
  }
  await child.status;
  return Math.max(0, ...told.split("\n").map(Number).filter(Number.isInteger));
}
