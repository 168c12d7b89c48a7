import assert from "node:assert/strict";
import { ConnectionCap } from "./connection_cap.ts";

/** A process whose files and calls the test chooses, looked after on a clock that it moves. */
class Process {
  files = 0;
  calls = 0;
  readonly done: string[] = [];
  #now = 0;
  readonly #cap = new ConnectionCap({
    limit: () => 1000,
    openFiles: () => this.files,
    calls: () => this.calls,
    shed: () => Promise.resolve(this.done.push("shed")),
    replace: () => this.done.push("replace"),
    replacementTime: () => 30_000,
    log: { warn: () => {} },
    now: () => this.#now,
  });

  /** Passes so many seconds, with a look each. */
  async pass(seconds: number): Promise<string[]> {
    for (let second = 0; second < seconds; second++) {
      this.#now += 1000;
      await this.#cap.look();
    }
    return this.done.splice(0);
  }
}

Deno.test("connections are shed when there are too many, and not before", async () => {
  const process = new Process();
  process.files = 999;
  assert.deepEqual(await process.pass(100), []);
  process.files = 1000;
  assert.deepEqual(await process.pass(1), ["shed"]);
  process.files = 100;
  assert.deepEqual(await process.pass(100), []);
});

Deno.test("under a flood that goes on, connections are shed every five seconds", async () => {
  const process = new Process();
  for (let wave = 0; wave < 20; wave++) {
    process.files = 1000;
    assert.deepEqual(await process.pass(1), ["shed"]);
    process.files = 0;
    assert.deepEqual(await process.pass(4), []);
  }
});

Deno.test("connections that shedding does not close end with the isolate", async () => {
  const process = new Process();
  await process.pass(31);
  process.files = 1000;
  assert.deepEqual(await process.pass(10), ["shed", "replace"]);
});

Deno.test("a new isolate gives the one before time to end", async () => {
  const process = new Process();
  process.files = 1000;
  assert.deepEqual(await process.pass(30), Array(6).fill("shed"));
  assert.deepEqual(await process.pass(1), ["replace"]);
});

Deno.test("the connections of calls in flight are not counted", async () => {
  const process = new Process();
  process.files = 1000;
  process.calls = 1;
  assert.deepEqual(await process.pass(100), []);
});
