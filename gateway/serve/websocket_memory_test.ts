import assert from "node:assert/strict";
import { WebSocketMemory } from "./websocket_memory.ts";

/** A process whose memory and WebSockets the test chooses; memory in bytes, the limit is 100. */
class Process {
  used = 50;
  open = 0;
  /** Bytes that closing the WebSockets frees. */
  theirs = 0;
  sheds = 0;
  readonly memory = new WebSocketMemory({
    open: () => this.open,
    limit: () => 100,
    used: () => this.used,
    shed: () => {
      this.sheds++;
      this.open = 0;
      this.used -= this.theirs;
      return Promise.resolve();
    },
    log: { warn: () => {} },
  });
}

Deno.test("WebSockets are closed when the process has grown by more than the limit", async () => {
  const process = new Process();
  process.open = 1;
  process.used = 150;
  await process.memory.look();
  assert.equal(process.sheds, 0);
  process.used = 151;
  process.theirs = 101;
  await process.memory.look();
  assert.equal(process.sheds, 1);
});

Deno.test("what the process takes without WebSockets is not theirs", async () => {
  const process = new Process();
  process.used = 1000;
  await process.memory.look();
  process.open = 1;
  process.used = 1100;
  await process.memory.look();
  assert.equal(process.sheds, 0);
});

Deno.test("memory that closing them does not free is not counted against the next ones", async () => {
  const process = new Process();
  process.open = 1;
  process.used = 1000;
  await process.memory.look();
  assert.equal(process.sheds, 1);
  process.open = 1;
  await process.memory.look();
  assert.equal(process.sheds, 1);
});
