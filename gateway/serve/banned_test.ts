import assert from "node:assert/strict";
import { HeldAnswers } from "./banned.ts";

const HOUR = 3_600_000;

/** Whether a promise is settled once everything that can go on has. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let settled = false;
  promise.then(() => settled = true);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return settled;
}

Deno.test("an answer without a delay is not held back", async () => {
  assert.ok(await isSettled(new HeldAnswers().hold(0)));
});

Deno.test("an answer is held back for its delay, or until it is released", async () => {
  const held = new HeldAnswers();
  await held.hold(1);
  const long = held.hold(HOUR);
  assert.ok(!await isSettled(long));
  held.release();
  await long;
});

Deno.test("when a hundred answers are held back, another one comes at once", async () => {
  const held = new HeldAnswers();
  const hundred = Array.from({ length: 100 }, () => held.hold(HOUR));
  assert.ok(await isSettled(held.hold(HOUR)));
  held.release();
  await Promise.all(hundred);
  const again = held.hold(HOUR);
  assert.ok(!await isSettled(again));
  held.release();
  await again;
});
