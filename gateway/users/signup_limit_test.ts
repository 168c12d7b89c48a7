import assert from "node:assert/strict";
import { Fault } from "../faults.ts";
import { SignupLimit } from "./signup_limit.ts";

const MINUTE = 60_000;

function setup(perHour: number) {
  const clock = { now: 1_000_000 };
  return { clock, limit: new SignupLimit(perHour, () => clock.now) };
}

function secondsToWait(take: () => void): number | undefined {
  try {
    take();
  } catch (error) {
    assert.ok(error instanceof Fault);
    assert.equal(error.kind, "TOO_MANY_ATTEMPTS");
    return error.retryAfter;
  }
  return assert.fail("was not refused");
}

Deno.test("an address gets its share of sign-ups in any hour, and is told how long to wait", () => {
  const { clock, limit } = setup(3);
  limit.take("192.0.2.1");
  clock.now += 10 * MINUTE;
  limit.take("192.0.2.1");
  limit.take("192.0.2.1");
  assert.equal(secondsToWait(() => limit.take("192.0.2.1")), 50 * 60);
  clock.now += 50 * MINUTE;
  limit.take("192.0.2.1");
  assert.equal(secondsToWait(() => limit.take("192.0.2.1")), 10 * 60);
});

Deno.test("other addresses are not concerned, but an IPv6 network counts as one", () => {
  const { limit } = setup(1);
  limit.take("192.0.2.1");
  limit.take("192.0.2.2");
  limit.take("2001:db8:0:1::1");
  secondsToWait(() => limit.take("2001:db8:0:1:ffff::2"));
  limit.take("2001:db8:0:2::1");
  secondsToWait(() => limit.take("::ffff:192.0.2.1"));
});

Deno.test("addresses are forgotten after an hour, and never more than 10000 are kept", () => {
  const { clock, limit } = setup(1);
  for (let i = 0; i < 12_000; i++) limit.take(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`);
  assert.equal(limit.size, 10_000);
  clock.now += 61 * MINUTE;
  limit.take("192.0.2.1");
  assert.equal(limit.size, 1);
});

Deno.test("a limit of 0 lets nobody sign up", () => {
  const { limit } = setup(0);
  assert.equal(secondsToWait(() => limit.take("192.0.2.1")), 3600);
});
