import assert from "node:assert/strict";
import { Fault } from "../faults.ts";
import { AttemptThrottle } from "./attempt_throttle.ts";

function stopped() {
  const time = { now: 1_000_000 };
  return { time, throttle: new AttemptThrottle(() => time.now) };
}

/** Seconds to wait, 0 when the attempt was let through (and failed). */
function fail(throttle: AttemptThrottle, ...names: string[]): number {
  try {
    throttle.begin(...names);
    return 0;
  } catch (fault) {
    assert.ok(fault instanceof Fault && fault.kind === "TOO_MANY_ATTEMPTS");
    return fault.retryAfter ?? 0;
  }
}

Deno.test("five failures are free; then the wait doubles with each, up to five minutes", () => {
  const { time, throttle } = stopped();
  for (let i = 0; i < 5; i++) assert.equal(fail(throttle, "anna"), 0);
  const waits = [];
  for (let i = 0; i < 12; i++) {
    const wait = fail(throttle, "anna");
    waits.push(wait);
    time.now += wait * 1000;
    assert.equal(fail(throttle, "anna"), 0, "after the wait the next attempt is let through");
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
});

Deno.test("an attempt refused while waiting does not lengthen the wait", () => {
  const { throttle } = stopped();
  for (let i = 0; i < 5; i++) fail(throttle, "anna");
  for (let i = 0; i < 50; i++) assert.equal(fail(throttle, "anna"), 1);
});

Deno.test("many attempts at once are counted before their outcome is known", () => {
  const { throttle } = stopped();
  const begun = Array.from({ length: 100 }, () => fail(throttle, "anna")).filter((w) => w === 0);
  assert.equal(begun.length, 5);
});

Deno.test("one address that tries many accounts has to wait, other addresses do not", () => {
  const { throttle } = stopped();
  for (let i = 0; i < 5; i++) fail(throttle, `account ${i}`, "address 192.0.2.1");
  assert.equal(fail(throttle, "account 6", "address 192.0.2.1"), 1);
  assert.equal(fail(throttle, "account 6", "address 192.0.2.2"), 0);
});

Deno.test("a success clears the account, and leaves what the address had before", () => {
  const { throttle } = stopped();
  for (let i = 0; i < 4; i++) fail(throttle, "anna", "address");
  throttle.begin("anna", "address").succeeded("anna");
  for (let i = 0; i < 5; i++) assert.equal(fail(throttle, "anna"), 0);
  assert.equal(fail(throttle, "anna"), 1);
  assert.equal(fail(throttle, "other", "address"), 0);
  assert.equal(fail(throttle, "another", "address"), 1);
});

Deno.test("a success does not make others at its address wait anew", () => {
  const { time, throttle } = stopped();
  for (let i = 0; i < 5; i++) fail(throttle, "address");
  time.now += 1000;
  throttle.begin("anna", "address").succeeded("anna");
  throttle.begin("berta", "address").succeeded("berta");
});

Deno.test("an attempt that was never judged does not count", () => {
  const { throttle } = stopped();
  for (let i = 0; i < 50; i++) throttle.begin("anna").withdrawn();
  assert.equal(throttle.size, 0);
});

Deno.test("half an hour without a failure is a fresh start", () => {
  const { time, throttle } = stopped();
  for (let i = 0; i < 5; i++) fail(throttle, "anna");
  time.now += 30 * 60_000;
  for (let i = 0; i < 5; i++) assert.equal(fail(throttle, "anna"), 0);
});

Deno.test("memory is bounded: of endless names the oldest are forgotten", () => {
  const { throttle } = stopped();
  for (let i = 0; i < 25_000; i++) fail(throttle, `name ${i}`);
  assert.equal(throttle.size, 10_000);
});
