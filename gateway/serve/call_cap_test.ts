import assert from "node:assert/strict";
import { CallCap, type CallLimits } from "./call_cap.ts";

function cap(limits: Partial<CallLimits>, isolates = 1): CallCap {
  return new CallCap({ max_calls: 1000, max_calls_per_address: null, ...limits }, isolates);
}

/** The refusal codes of so many calls that begin and do not end. */
function begin(cap: CallCap, calls: number, address = "192.0.2.1"): (string | undefined)[] {
  return Array.from({ length: calls }, () => cap.began(address)?.code);
}

Deno.test("calls over the limit are turned away until some have ended", () => {
  const calls = cap({ max_calls: 2 });
  assert.deepEqual(begin(calls, 3), [undefined, undefined, "SERVER_BUSY"]);
  calls.ended("192.0.2.1"); // the one that was refused
  assert.deepEqual(begin(calls, 1), ["SERVER_BUSY"]);
  calls.ended("192.0.2.1");
  calls.ended("192.0.2.1");
  assert.deepEqual(begin(calls, 1), [undefined]);
});

Deno.test("one address has its own limit, others are served", () => {
  const calls = cap({ max_calls_per_address: 1 });
  assert.deepEqual(begin(calls, 2), [undefined, "TOO_MANY_CALLS"]);
  assert.deepEqual(begin(calls, 1, "192.0.2.2"), [undefined]);
  calls.ended("192.0.2.1");
  calls.ended("192.0.2.1");
  assert.deepEqual(begin(calls, 1), [undefined]);
});

Deno.test("each isolate takes its part of the limits, rounded up", () => {
  const calls = cap({ max_calls: 3, max_calls_per_address: 3 }, 2);
  assert.deepEqual(begin(calls, 3), [undefined, undefined, "TOO_MANY_CALLS"]);
  assert.deepEqual(begin(calls, 1, "192.0.2.2"), ["SERVER_BUSY"]);
});

Deno.test("limits may change while calls are in flight", () => {
  const calls = cap({});
  begin(calls, 2);
  calls.use({ max_calls: 1000, max_calls_per_address: 1 }, 1);
  assert.deepEqual(begin(calls, 1), [undefined]);
  for (let call = 0; call < 3; call++) calls.ended("192.0.2.1");
  assert.equal(calls.calls, 0);
  assert.deepEqual(begin(calls, 1), [undefined]);
  calls.use({ max_calls: 1000, max_calls_per_address: null }, 1);
  calls.ended("192.0.2.1");
  assert.equal(calls.calls, 0);
});
