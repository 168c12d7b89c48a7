import assert from "node:assert/strict";
import { Chunk, CHUNK_ROWS } from "./chunk.ts";
import type { Commit } from "./commit.ts";
import { Recorder, type RecorderOptions } from "./recorder.ts";
import { noon, sampleRow } from "./sample_rows.ts";

/** A store that takes commits until it is told to fail. */
class Disk {
  readonly written: Commit[] = [];
  readonly problems: [message: string, facts: Record<string, unknown>][] = [];
  full = false;
  #waiters: (() => void)[] = [];

  recorder(options: Partial<RecorderOptions> = {}): Recorder {
    return new Recorder({
      write: (commit) => this.#write(commit),
      onProblem: (message, facts) => this.problems.push([message, facts]),
      flushInterval: 1,
      retryIntervalMax: 2,
      waitingBytesMax: 1_000_000,
      ...options,
    });
  }

  /** Request ids of what is in the store, in the order of the chunks' last versions. */
  get ids(): string[] {
    const chunks = new Map(this.written.flat().map(({ stored }) => [stored.number, stored]));
    return [...chunks.values()].flatMap((stored) => {
      const chunk = new Chunk(stored);
      return Array.from({ length: stored.rows }, (_, row) => chunk.row(row).request_id);
    });
  }

  /** Resolves when the next write has been tried. */
  tried(): Promise<void> {
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  #write(commit: Commit): Promise<string> {
    for (const resolve of this.#waiters.splice(0)) resolve();
    if (this.full) return Promise.reject(new Error("disk is full"));
    this.written.push(commit);
    return Promise.resolve(`v${this.written.length}`);
  }
}

function record(recorder: Recorder, from: number, to: number): string[] {
  const ids = Array.from({ length: to - from }, (_, index) => `r-${from + index}`);
  for (const [index, request_id] of ids.entries()) {
    recorder.record(sampleRow({ request_id, request_at: noon + from + index }));
  }
  return ids;
}

Deno.test("a recorded row is written soon, without anybody asking", async () => {
  const disk = new Disk();
  const recorder = disk.recorder();
  const tried = disk.tried();
  record(recorder, 0, 1);
  assert.deepEqual(disk.written, [], "recording itself writes nothing");
  await tried;
  assert.deepEqual(disk.ids, ["r-0"]);
  await recorder.close();
});

Deno.test("with nothing to write no timer runs", async () => {
  // The sanitizers fail this test if one is left.
  const disk = new Disk();
  const recorder = disk.recorder({ flushInterval: 60_000 });
  await recorder.flush();
  record(recorder, 0, 3);
  await recorder.flush();
  assert.deepEqual(recorder.state, { written: 3, waiting: 0, lost: 0 });
});

Deno.test("rows of a quiet time share a chunk, each counted once", async () => {
  const disk = new Disk();
  const recorder = disk.recorder();
  for (let index = 0; index < 5; index++) {
    record(recorder, index, index + 1);
    await recorder.flush();
  }
  assert.equal(new Set(disk.written.flat().map(({ stored }) => stored.number)).size, 1);
  assert.equal(disk.written.flat().reduce((sum, { added }) => sum + added.rows, 0), 5);
  assert.deepEqual(disk.ids, ["r-0", "r-1", "r-2", "r-3", "r-4"]);
  await recorder.close();
});

Deno.test("while the store fails rows are kept, and written in order when it is back", async () => {
  const disk = new Disk();
  const recorder = disk.recorder();
  disk.full = true;
  const first = record(recorder, 0, 300);
  await disk.tried();
  const second = record(recorder, 300, 400);
  await disk.tried();
  assert.deepEqual(recorder.state, { written: 0, waiting: 400, lost: 0 });

  disk.full = false;
  while (recorder.state.waiting > 0) await recorder.flush(); // a last failing try may be under way
  assert.deepEqual(disk.ids, [...first, ...second]);
  assert.deepEqual(recorder.state, { written: 400, waiting: 0, lost: 0 });
  assert.match(disk.problems[0]?.[0] ?? "", /cannot be written/);
  assert.equal(disk.problems[0]?.[1].error, "disk is full");
  assert.match(disk.problems.at(-1)?.[0] ?? "", /is written again/);
  await recorder.close();
});

Deno.test("a chunk that could not grow in the store loses no row to the next one", async () => {
  const disk = new Disk();
  const recorder = disk.recorder({ flushInterval: 60_000 });
  const ids = record(recorder, 0, 1);
  await recorder.flush();
  disk.full = true;
  for (let index = 1; index < 4; index++) {
    ids.push(...record(recorder, index, index + 1));
    await recorder.flush();
  }
  disk.full = false;
  await recorder.flush();
  assert.deepEqual(disk.ids.toSorted(), ids);
  await recorder.close();
});

Deno.test("when too much waits the oldest rows go, counted and reported", async () => {
  const disk = new Disk();
  const recorder = disk.recorder({ flushInterval: 60_000, waitingBytesMax: 10_000 });
  disk.full = true;
  const recorded = record(recorder, 0, 20 * CHUNK_ROWS);
  await recorder.flush();
  const { waiting, lost } = recorder.state;
  assert.ok(lost > 0);
  assert.equal(waiting + lost, recorded.length);
  assert.match(disk.problems[0]?.[0] ?? "", /the oldest unwritten calls are dropped/);

  disk.full = false;
  await recorder.flush();
  assert.deepEqual(disk.ids, recorded.slice(lost), "what is kept is the newest");
  assert.equal(disk.problems.at(-1)?.[1].calls_lost, lost);
  await recorder.close();
});

Deno.test("closing writes what waits; what comes later is counted as lost", async () => {
  const disk = new Disk();
  const recorder = disk.recorder({ flushInterval: 60_000 });
  record(recorder, 0, 200);
  await recorder.close();
  assert.equal(disk.ids.length, 200);
  record(recorder, 200, 201);
  assert.deepEqual(recorder.state, { written: 200, waiting: 0, lost: 1 });
});

Deno.test("closing does not wait for a store that does not come back", async () => {
  const disk = new Disk();
  const recorder = disk.recorder();
  disk.full = true;
  record(recorder, 0, 5);
  await recorder.close();
  assert.deepEqual(recorder.state, { written: 0, waiting: 0, lost: 5 });
  assert.match(disk.problems.at(-1)?.[0] ?? "", /calls are missing from the log/);
});

Deno.test("a flush waits for a write that is under way", async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<string>();
  let writes = 0;
  const recorder = new Disk().recorder({ write: () => (writes++, released) });
  record(recorder, 0, 10);
  const flushes = [recorder.flush(), recorder.flush()];
  release("v1");
  await Promise.all(flushes);
  assert.equal(writes, 1);
  assert.equal(recorder.state.written, 10);
  await recorder.close();
});
