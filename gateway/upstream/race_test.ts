import assert from "node:assert/strict";
import { DeadlineWatch } from "../deadlines.ts";
import { Race } from "./race.ts";
import { turn } from "./testing/calls.ts";
import type { Link } from "./transport.ts";

/** A race over addresses that answer when the test says so. */
class Rig {
  #now = 0;
  readonly #watch = new DeadlineWatch({ clock: () => this.#now });
  readonly #attempts = new Map<string, PromiseWithResolvers<Link>>();
  /** What happened, in order. */
  readonly told: string[] = [];
  readonly race: Race;

  constructor(addresses: readonly string[]) {
    this.race = new Race({
      addresses,
      connect: (address, signal) => this.#connect(address, signal),
      onRefused: (address) => this.told.push(`${address} refused`),
      watch: this.#watch,
    });
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    this.#watch.sweep();
    await turn();
  }

  async accept(address: string): Promise<void> {
    const close = () => this.told.push(`${address} closed`);
    this.#attempts.get(address)!.resolve({ ready: () => Promise.reject(), close });
    await turn();
  }

  async refuse(address: string): Promise<void> {
    this.#attempts.get(address)!.reject(new Error(`${address} says no`));
    await turn();
  }

  #connect(address: string, signal: AbortSignal): Promise<Link> {
    this.told.push(`${address} tried`);
    signal.addEventListener("abort", () => this.told.push(`${address} stopped`));
    const attempt = Promise.withResolvers<Link>();
    this.#attempts.set(address, attempt);
    return attempt.promise;
  }
}

Deno.test("the next address is tried as soon as one refuses", async () => {
  const rig = new Rig(["a", "b"]);
  const winner = rig.race.run();
  await rig.refuse("a");
  await rig.accept("b");
  assert.equal((await winner).address, "b");
  assert.deepEqual(rig.told.slice(0, 3), ["a tried", "a refused", "b tried"]);
});

Deno.test("an address that says nothing costs a moment, and is stopped when another accepts", async () => {
  const rig = new Rig(["a", "b", "c"]);
  const winner = rig.race.run();
  await rig.pass(249);
  assert.deepEqual(rig.told, ["a tried"]);
  await rig.pass(1);
  assert.deepEqual(rig.told, ["a tried", "b tried"]);
  await rig.accept("b");
  assert.equal((await winner).address, "b");
  assert.ok(rig.told.includes("a stopped"));
  await rig.pass(1000);
  assert.ok(!rig.told.includes("c tried"));
});

Deno.test("an address that accepts after another is closed again", async () => {
  const rig = new Rig(["a", "b"]);
  const winner = rig.race.run();
  await rig.pass(250);
  await rig.accept("b");
  await rig.accept("a");
  assert.equal((await winner).address, "b");
  assert.equal(rig.told.at(-1), "a closed");
});

Deno.test("when all refuse, the last refusal is given", async () => {
  const rig = new Rig(["a", "b"]);
  const refused = assert.rejects(rig.race.run(), /b says no/);
  await rig.refuse("a");
  await rig.refuse("b");
  await refused;
});

Deno.test("a race that is given up stops its attempts and closes what comes", async () => {
  const rig = new Rig(["a", "b"]);
  const given = assert.rejects(rig.race.run(), /enough/);
  rig.race.abort(new Error("enough"));
  await given;
  assert.deepEqual(rig.told, ["a tried", "a stopped"]);
  await rig.accept("a");
  assert.equal(rig.told.at(-1), "a closed");
});
