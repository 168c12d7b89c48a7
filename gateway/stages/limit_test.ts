// deno-lint-ignore-file no-import-prefix -- only tests need it: locked in tests/deno.lock
import assert from "node:assert/strict";
import { parseList } from "npm:structured-headers@2.1.0";
import { defaultRateLimits } from "../config/default_rate_limits.ts";
import { compileLimits, noLimits } from "../limit/compiled_limits.ts";
import { newLimitMemory } from "../limit/limit_memory.ts";
import { RateLimiter } from "../limit/rate_limiter.ts";
import type { RateLimit } from "../records/fields.ts";
import { limit } from "./limit.ts";
import { type CallOptions, callWith } from "./testing.ts";

const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);
const noon = at("12:00:00");

function rule(limit_by: "api_key" | "ip", limit: number, more: Partial<RateLimit> = {}): RateLimit {
  return { duration: 3_600_000, limit_by, limit, response_headers: false, ...more };
}

const told = { response_headers: true };

/** A gateway's memory of calls; each is made with what differs from a plain one by a key. */
function gateway(rate_limits: readonly RateLimit[], settings: CallOptions["settings"] = {}) {
  const limiter = new RateLimiter(newLimitMemory());
  return (options: CallOptions = {}, now = noon) => {
    const call = callWith({
      ...options,
      settings: { rate_limits: [...rate_limits], ...settings, ...options.settings },
    });
    const { refusal, headers } = limit(call, limiter, now);
    return { code: refusal?.code, headers: new Map([...headers, ...refusal?.headers ?? []]) };
  };
}

const over = "OVER_RATE_LIMIT";
const alice = { holder: { id: "alice" } };
const bob = { holder: { id: "bob" } };
const nobody = { holder: null };

Deno.test("a key's calls count together wherever they come from, an address's whoever makes them", () => {
  const byKey = gateway([rule("api_key", 1)]);
  assert.equal(byKey({ ...alice, address: "192.0.2.1" }).code, undefined);
  assert.equal(byKey({ ...alice, address: "192.0.2.2" }).code, over);
  assert.equal(byKey({ ...bob, address: "192.0.2.1" }).code, undefined);

  const byAddress = gateway([rule("ip", 1)]);
  assert.equal(byAddress({ ...alice, address: "192.0.2.1" }).code, undefined);
  assert.equal(byAddress({ ...bob, address: "192.0.2.1" }).code, over);
  assert.equal(byAddress({ ...alice, address: "192.0.2.2" }).code, undefined);
});

Deno.test("a network of IPv6 is one address", () => {
  const call = gateway([rule("ip", 1)]);
  assert.equal(call({ address: "2001:db8::1" }).code, undefined);
  assert.equal(call({ address: "2001:db8::ffff:1" }).code, over);
  assert.equal(call({ address: "2001:db8:0:1::1" }).code, undefined);
});

Deno.test("a call without a key counts by address, apart from the limits by address", () => {
  const call = gateway([rule("api_key", 1), rule("ip", 1)]);
  assert.equal(call(nobody).code, undefined);
  assert.equal(call(nobody).code, over);
  assert.equal(call({ ...nobody, address: "192.0.2.9" }).code, undefined);
});

Deno.test("the calls of a user throttled by IP count by address, as of limits by key", () => {
  const call = gateway([rule("api_key", 1)]);
  const throttled = (id: string, address: string) =>
    call({ holder: { id, throttleByIp: true }, address }).code;
  assert.equal(throttled("alice", "192.0.2.1"), undefined);
  assert.equal(throttled("bob", "192.0.2.1"), over);
  assert.equal(throttled("alice", "192.0.2.2"), undefined);
  assert.equal(call({ ...alice, address: "192.0.2.1" }).code, undefined);
});

Deno.test("backends of one frontend host share counters, unless a bucket is named", () => {
  const call = gateway([rule("api_key", 1)]);
  assert.equal(call({ frontendHost: "a.example" }).code, undefined);
  assert.equal(call({ frontendHost: "A.example" }).code, over);
  assert.equal(call({ frontendHost: "b.example" }).code, undefined);
  const named = { settings: { rate_limit_bucket_name: "shared" } };
  assert.equal(call({ ...named, frontendHost: "a.example" }).code, undefined);
  assert.equal(call({ ...named, frontendHost: "b.example" }).code, over);
});

Deno.test("limits hold in order: those before an exceeded one stay counted, later ones do not", () => {
  const first = rule("api_key", 3, { duration: 1000 });
  const second = rule("api_key", 1, { duration: 60_000 });
  const third = rule("api_key", 10, told);
  const call = gateway([first, second, third]);
  assert.equal(call().headers.get("x-ratelimit-remaining"), "9");
  for (let refused = 0; refused < 4; refused++) {
    const { code, headers } = call();
    assert.equal(code, over);
    assert.equal(headers.get("x-ratelimit-remaining"), "9", "it was not counted");
  }
  // The second limit has room again; the first is found used up by calls that were refused.
  const bare = { settings: { rate_limits: [first] } };
  assert.equal(call(bare).code, over);
});

Deno.test("a key holder's own limits replace the backend's, and none of them means none", () => {
  const call = gateway([rule("api_key", 1)]);
  const own = { holder: { id: "alice", rateLimits: compileLimits([rule("api_key", 2)]) } };
  assert.deepEqual([call(own).code, call(own).code, call(own).code], [undefined, undefined, over]);
  const free = { holder: { id: "bob", rateLimits: noLimits } };
  for (let time = 0; time < 5; time++) assert.equal(call(free).code, undefined);
  assert.equal(call(free).headers.size, 0);
});

Deno.test("callers without a key are spared the limits by key if the backend says ip_only", () => {
  const settings = { anonymous_rate_limit_behavior: "ip_only" } as const;
  const call = gateway([rule("api_key", 1, told), rule("ip", 2)], settings);
  assert.deepEqual([1, 2, 3].map(() => call(nobody).code), [undefined, undefined, over]);
  assert.equal(call(nobody).headers.has("x-ratelimit-limit"), false, "nor told of them");
  const elsewhere = { ...alice, address: "192.0.2.9" };
  assert.deepEqual([call(elsewhere).code, call(elsewhere).code], [undefined, over]);
});

Deno.test("callers with a key are spared the limits by address if it says api_key_only", () => {
  const settings = { authenticated_rate_limit_behavior: "api_key_only" } as const;
  const call = gateway([rule("ip", 1), rule("api_key", 2)], settings);
  assert.deepEqual([1, 2, 3].map(() => call(alice).code), [undefined, undefined, over]);
  assert.deepEqual([call(nobody).code, call(nobody).code], [undefined, over]);
});

Deno.test("answers tell of the marked limit, on 429 too, whichever limit refused", () => {
  const call = gateway([rule("api_key", 2, { duration: 1000 }), rule("api_key", 10, told)]);
  const first = call().headers;
  assert.deepEqual(Object.fromEntries(first), {
    "x-ratelimit-limit": "10",
    "x-ratelimit-remaining": "9",
    "ratelimit-policy": '"hour";q=10;w=3600',
    "ratelimit": '"hour";r=9;t=3601', // at 13:00:01 the nine are ten again
  });
  call();
  const { code, headers } = call();
  assert.equal(code, over);
  assert.equal(headers.get("retry-after"), "2");
  assert.equal(headers.get("x-ratelimit-remaining"), "8");
  assert.equal(headers.get("ratelimit-policy"), '"hour";q=10;w=3600, "second";q=2;w=1');
  assert.equal(headers.get("ratelimit"), '"hour";r=8;t=3601, "second";r=0;t=2');
});

Deno.test("a caller refused by the marked limit is told the same time twice", () => {
  const call = gateway([rule("api_key", 10, told)]);
  for (let time = 0; time < 10; time++) call({}, at("12:27:00"));
  const { code, headers } = call({}, at("12:27:00"));
  assert.equal(code, over);
  assert.equal(headers.get("x-ratelimit-remaining"), "0");
  assert.equal(headers.get("retry-after"), String(33 * 60 + 1));
  assert.equal(headers.get("ratelimit"), `"hour";r=0;t=${33 * 60 + 1}`);
});

Deno.test("RateLimit and RateLimit-Policy are Structured Fields that name the same policy", () => {
  const { headers } = gateway(defaultRateLimits)();
  assert.deepEqual(parseList(headers.get("ratelimit-policy") ?? ""), [
    ["hour", new Map([["q", 1000], ["w", 3600]])],
  ]);
  assert.deepEqual(parseList(headers.get("ratelimit") ?? ""), [
    ["hour", new Map([["r", 999], ["t", 3601]])],
  ]);
});

Deno.test("the default limits: 20 a second for a key, 50 for an address, 1000 an hour for a key", () => {
  const call = gateway(defaultRateLimits);
  const passed = (options: CallOptions[], now = noon) =>
    options.filter((one) => call(one, now).code === undefined).length;
  const calls = (count: number, holder: CallOptions) => Array<CallOptions>(count).fill(holder);
  assert.equal(passed(calls(30, alice)), 20);
  const others = Array.from({ length: 40 }, (_, other) => ({ holder: { id: `other ${other}` } }));
  assert.equal(passed(others), 20, "30 of the address's 50 were counted before the key's limit");
  let inAnHour = 0;
  for (let second = 0; second < 3600; second += 3) {
    inAnHour += passed(
      calls(2, { holder: { id: "steady" }, address: `10.0.${second}` }),
      noon + second * 1000,
    );
  }
  assert.equal(inAnHour, 1000);
});
