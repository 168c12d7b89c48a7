import assert from "node:assert/strict";
import { type NearAnswer, NearAnswers } from "./near_answers.ts";

/** Of so many bytes, by an entry of that number. */
function answer(slot: number, bodyBytes = 0): NearAnswer {
  const entry = {
    slot,
    generation: 0,
    firstBlock: 0,
    headBytes: 0,
    bodyBytes,
    headChecksum: 0,
    bodyChecksum: 0,
  };
  const head = {
    key: "",
    target: "/",
    vary: [],
    status: 200,
    headers: [],
    receivedAt: 0,
    initialAge: 0,
    lifetime: 0,
  };
  return { entry, head, body: null };
}

Deno.test("what is used stays at hand, what is not is forgotten, and never more than the bound is kept", () => {
  const near = new NearAnswers(100 * 1024);
  near.set("used", [answer(0)]);
  let kept = 0;
  for (let n = 1; n <= 1000; n++) {
    near.set(`key ${n}`, [answer(n)]);
    assert.ok(near.get("used"), `after ${n}`);
  }
  for (let n = 1; n <= 1000; n++) if (near.get(`key ${n}`) !== undefined) kept++;
  assert.ok(kept <= 100 && kept >= 25, `${kept} are kept`);
});

Deno.test("setting the same key again takes no more room", () => {
  const near = new NearAnswers(10 * 1024);
  near.set("other", [answer(1)]);
  for (let n = 0; n < 100; n++) near.set("key", [answer(0, 1000)]);
  assert.ok(near.get("other"));
});

Deno.test("an answer too large for a generation takes the place of all others, not the memory", () => {
  const near = new NearAnswers(10 * 1024);
  near.set("large", [answer(0, 2 ** 20)]);
  assert.ok(near.get("large"));
  near.set("key", []);
  assert.equal(near.get("key"), undefined);
});
