// deno-lint-ignore-file no-import-prefix -- only tests need it: locked in tests/deno.lock
import assert from "node:assert/strict";
import { parseList } from "npm:structured-headers@2.1.0";
import * as v from "valibot";
import { defaultRateLimits } from "../config/default_rate_limits.ts";
import { compileLimits, noLimits } from "../limit/compiled_limits.ts";
import { newLimitMemory } from "../limit/limit_memory.ts";
import { RateLimiter } from "../limit/rate_limiter.ts";
import type { RateLimit } from "../records/rate_limits.ts";
import type { Quota } from "../records/quotas.ts";
import { compileOwnLimits } from "../limit/own_limits.ts";
import { userSettings } from "../records/user.ts";
import { limit } from "./limit.ts";
import { lookAtLimits } from "./look_at_limits.ts";
import { type CallOptions, callWith } from "./testing.ts";

const at = (time: string) => Date.parse(`2026-01-01T${time}Z`);
const noon = at("12:00:00");

function rule(limit_by: "api_key" | "ip", limit: number, more: Partial<RateLimit> = {}): RateLimit {
  return { duration: 3_600_000, limit_by, limit, response_headers: false, ...more };
}

const told = { response_headers: true };

function quota(limit_by: "api_key" | "ip", limit: number, period: Quota["period"] = "day"): Quota {
  return { limit_by, limit, period };
}

/** A gateway's memory of calls; each is made with what differs from a plain one by a key. */
function gateway(rate_limits: readonly RateLimit[], settings: CallOptions["settings"] = {}) {
  const limiter = new RateLimiter(newLimitMemory());
  return (options: CallOptions = {}, now = noon) => {
    const call = callWith({
      ...options,
      settings: { rate_limits: [...rate_limits], ...settings, ...options.settings },
    });
    const { refusal, headers } = limit(call, limiter, now);
    return {
      code: refusal?.code,
      rule: refusal?.rule ?? null,
      headers: new Map([...headers, ...refusal?.headers ?? []]),
    };
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

/** A key holder with own limits. */
function holderWith(id: string, settings: v.InferInput<typeof userSettings>): CallOptions {
  return { holder: { id, ...compileOwnLimits(v.parse(userSettings, settings)) } };
}

const codes = (count: number, one: () => { code: string | undefined }) =>
  Array.from({ length: count }, () => one().code);

Deno.test("a refusal names what was exceeded, in words and in the RateLimit fields", () => {
  const call = gateway([rule("ip", 1, { duration: 1000 }), rule("api_key", 10, told)]);
  call();
  const { rule: words, headers } = call();
  assert.equal(words, "over 1 call a second by IP address");
  assert.equal(headers.get("ratelimit-policy"), '"hour";q=10;w=3600, "second-by-ip";q=1;w=1');
  assert.equal(headers.get("ratelimit"), '"hour";r=9;t=3601, "second-by-ip";r=0;t=2');
  assert.equal(headers.get("x-ratelimit-limit"), "10");
});

Deno.test("a quota refuses until its day is over, and is told from the first call on", () => {
  const call = gateway([rule("api_key", 10, told)], { quotas: [quota("api_key", 2)] });
  const first = call();
  assert.equal(
    first.headers.get("ratelimit-policy"),
    '"hour";q=10;w=3600, "day-quota";q=2;w=86400',
  );
  assert.equal(first.headers.get("ratelimit"), '"hour";r=9;t=3601, "day-quota";r=1;t=43200');
  call();
  const { code, rule: words, headers } = call();
  assert.equal(code, over);
  assert.equal(words, "over 2 calls a day (UTC) by API key");
  assert.equal(headers.get("retry-after"), "43200");
  assert.match(headers.get("ratelimit") ?? "", /"day-quota";r=0;t=43200$/);
  assert.equal(call({}, noon + 43_200_000).code, undefined);
});

Deno.test("a quota without a marked limit is told alone", () => {
  const call = gateway([rule("api_key", 10)], { quotas: [quota("ip", 2, "month")] });
  assert.deepEqual(Object.fromEntries(call().headers), {
    "ratelimit-policy": '"month-quota-by-ip";q=2;w=2678400',
    "ratelimit": `"month-quota-by-ip";r=1;t=${30.5 * 86_400}`,
  });
});

Deno.test("a refused call uses up no quota, whether a limit or another quota refuses it", () => {
  const byLimit = gateway([rule("api_key", 1, { duration: 1000 })], {
    quotas: [quota("api_key", 2)],
  });
  assert.deepEqual(codes(4, byLimit), [undefined, over, over, over]);
  const { code, headers } = byLimit({}, noon + 5000);
  assert.equal(code, undefined);
  assert.match(headers.get("ratelimit") ?? "", /r=0;/);

  const quotas = [quota("api_key", 9), quota("api_key", 1, "month")];
  const byMonth = gateway([rule("api_key", 100)], { quotas });
  assert.deepEqual(codes(4, byMonth), [undefined, over, over, over]);
  assert.match(byMonth().headers.get("ratelimit") ?? "", /"day-quota";r=8;.*"month-quota";r=0;/);
});

Deno.test("of two quotas that are used up, Retry-After is of the one to wait for", () => {
  const quotas = [quota("api_key", 1), quota("api_key", 1, "month")];
  const call = gateway([rule("api_key", 100)], { quotas });
  call();
  const { headers, rule: words } = call();
  assert.equal(headers.get("retry-after"), String(30.5 * 86_400));
  assert.equal(words, "over 1 call a month (UTC) by API key");
});

Deno.test("quotas count by key, by address, by address without a key; and are skipped as limits are", () => {
  const byKey = gateway([rule("api_key", 100)], { quotas: [quota("api_key", 1)] });
  assert.deepEqual([byKey(alice).code, byKey(bob).code, byKey(alice).code], [
    undefined,
    undefined,
    over,
  ]);
  assert.deepEqual(codes(2, () => byKey(nobody)), [undefined, over]);
  const spared = { anonymous_rate_limit_behavior: "ip_only" } as const;
  const ipOnly = gateway([rule("ip", 100)], { quotas: [quota("api_key", 1)], ...spared });
  assert.deepEqual(codes(3, () => ipOnly(nobody)), [undefined, undefined, undefined]);
});

Deno.test("unlimited lifts the quotas of its layer; a user's own quotas stand in the backend's place", () => {
  const quotas = [quota("api_key", 1)];
  const call = gateway([rule("api_key", 100)], { quotas });
  const free = holderWith("free", { rate_limit_mode: "unlimited" });
  assert.deepEqual(codes(3, () => call(free)), [undefined, undefined, undefined]);
  const own = holderWith("own", { quotas: [quota("api_key", 2)] });
  assert.deepEqual(codes(3, () => call(own)), [undefined, undefined, over]);
  const inherits = holderWith("inherits", { quotas: [] });
  assert.deepEqual(codes(2, () => call(inherits)), [undefined, over]);
});

Deno.test("a user's limits for one backend hold there in place of all others, and nowhere else", () => {
  const limiter = new RateLimiter(newLimitMemory());
  const settings = { rate_limits: [rule("api_key", 3)] };
  const user = holderWith("ada", {
    rate_limits: [rule("api_key", 2)],
    backend_limits: [
      { backend_id: "backend-1", rate_limits: [rule("api_key", 1)] },
      { backend_id: "gone", rate_limit_mode: "unlimited" },
    ],
  });
  const at = (id: string) => {
    const call = callWith({ ...user, settings });
    const route = { ...call.route, backend: { ...call.route.backend, id } };
    return limit({ ...call, route }, limiter, noon).refusal ?? {};
  };
  const refused = (id: string) => "code" in at(id);
  assert.deepEqual([1, 2].map(() => refused("backend-1")), [false, true]);
  // The user's limits for all other backends were not used up by that.
  assert.deepEqual([1, 2, 3].map(() => refused("backend-2")), [false, false, true]);
});

Deno.test("a user's limits for one backend may be none, or a quota beside the limits that hold anyway", () => {
  const call = gateway([rule("api_key", 2)]);
  const here = (limits: Record<string, unknown>) => ({
    backend_limits: [{ backend_id: "backend-1", ...limits }],
  });
  const free = holderWith("free", here({ rate_limit_mode: "unlimited" }));
  assert.deepEqual(codes(4, () => call(free)), [undefined, undefined, undefined, undefined]);
  const counted = holderWith("counted", here({ quotas: [quota("api_key", 1)] }));
  assert.equal(call(counted).code, undefined);
  assert.equal(call(counted).rule, "over 1 call a day (UTC) by API key");
  assert.equal(call(counted).rule, "over 2 calls an hour by API key");
});

Deno.test("looking at limits shows what would refuse a call, and counts nothing", () => {
  const limiter = new RateLimiter(newLimitMemory());
  const call = callWith({
    settings: {
      rate_limits: [rule("ip", 2), rule("api_key", 5)],
      quotas: [quota("api_key", 3)],
    },
  });
  limit(call, limiter, noon);
  limit(call, limiter, noon);
  for (let time = 0; time < 3; time++) {
    assert.deepEqual(lookAtLimits(call, limiter, noon), {
      rateLimitsFrom: "backend",
      quotasFrom: "backend",
      states: [
        {
          kind: "rate_limit",
          words: "2 calls an hour by IP address",
          calls: 2,
          used: 2,
          remaining: 0,
          refuses: true,
          seconds_until_more: 3601,
        },
        {
          kind: "rate_limit",
          words: "5 calls an hour by API key",
          calls: 5,
          used: 2,
          remaining: 3,
          refuses: false,
          seconds_until_more: 3601,
        },
        {
          kind: "quota",
          words: "3 calls a day (UTC) by API key",
          calls: 3,
          used: 2,
          remaining: 1,
          refuses: false,
          seconds_until_more: 43_200,
        },
      ],
    });
  }
});

Deno.test("looking at limits tells whose they are", () => {
  const limiter = new RateLimiter(newLimitMemory());
  const from = (options: CallOptions) => {
    const { rateLimitsFrom, quotasFrom } = lookAtLimits(callWith(options), limiter, noon);
    return [rateLimitsFrom, quotasFrom];
  };
  const settings = { quotas: [quota("api_key", 1)] };
  assert.deepEqual(from({ settings }), ["default", "backend"]);
  assert.deepEqual(from({ ...holderWith("ada", { rate_limits: [rule("ip", 1)] }), settings }), [
    "user",
    "backend",
  ]);
  const here = { backend_limits: [{ backend_id: "backend-1", quotas: [quota("ip", 1)] }] };
  assert.deepEqual(from({ ...holderWith("ada", here), settings }), ["default", "user_for_backend"]);
});
