import assert from "node:assert/strict";
import { listenForSignals, type SignalSource } from "./signals.ts";

/** A process that signals can be sent to, with a clock that is set by hand. */
function fakeProcess() {
  const listeners = new Map<Deno.Signal, () => void>();
  const exits: number[] = [];
  const clock = { now: 0 };
  const source: SignalSource = {
    addSignalListener: (signal, listener) => listeners.set(signal, listener),
    exit: (code) => exits.push(code),
    now: () => clock.now,
  };
  const send = (signal: Deno.Signal) => listeners.get(signal)?.();
  return { source, send, exits, clock };
}

Deno.test("the first SIGTERM or SIGINT asks to stop", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const { source, send, exits } = fakeProcess();
    const stop = listenForSignals(() => {}, source);
    send(signal);
    assert.equal(await stop, signal);
    assert.deepEqual(exits, []);
  }
});

Deno.test("a second signal ends the process at once, with the code a shell gives it", async () => {
  for (const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130]] as const) {
    const { source, send, exits, clock } = fakeProcess();
    const stop = listenForSignals(() => {}, source);
    send("SIGTERM");
    clock.now = 2000;
    send(signal);
    await stop;
    assert.deepEqual(exits, [code]);
  }
});

Deno.test("the same Ctrl-C reaching the server twice is one wish", () => {
  const { source, send, exits, clock } = fakeProcess();
  listenForSignals(() => {}, source);
  send("SIGINT");
  clock.now = 3;
  send("SIGINT");
  assert.deepEqual(exits, []);
});

Deno.test("every SIGHUP reloads, until the server is told to stop", () => {
  const { source, send } = fakeProcess();
  let reloads = 0;
  listenForSignals(() => reloads++, source);
  send("SIGHUP");
  send("SIGHUP");
  assert.equal(reloads, 2);
  send("SIGTERM");
  send("SIGHUP");
  assert.equal(reloads, 2);
});
