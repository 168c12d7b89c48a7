import assert from "node:assert/strict";
import type { RateLimit } from "../records/rate_limits.ts";
import type { Quota } from "../records/quotas.ts";
import { Layers, type StoredSettings } from "./layers.ts";
import { compileLayeredQuotas, compileRateLimits, quotasFrom, rateLimitsFrom } from "./limits.ts";

function rates(limit: number): { rate_limits: RateLimit[] } {
  return { rate_limits: [{ duration: 1000, limit_by: "ip", limit, response_headers: false }] };
}

function limits(limit: number): StoredSettings {
  return { rate_limit_mode: "custom", ...rates(limit) };
}

function quota(limit: number): { quotas: Quota[] } {
  return { quotas: [{ period: "day", limit_by: "ip", limit }] };
}

const unlimited: StoredSettings = { rate_limit_mode: "unlimited", rate_limits: [] };

/** What holds in the end: the numbers of calls of limits and of quotas, and whose they are. */
function held(defaults: StoredSettings, backend: StoredSettings, sub?: StoredSettings) {
  const layers = new Layers(defaults, backend, sub);
  return {
    limits: compileRateLimits(layers).limits.map(({ calls }) => calls),
    limitsFrom: rateLimitsFrom(layers),
    quotas: compileLayeredQuotas(layers).map(({ calls }) => calls),
    quotasFrom: quotasFrom(layers),
  };
}

Deno.test("the nearest layer with limits has them, each kind on its own", () => {
  const defaults = { ...limits(1), ...quota(10) };
  assert.deepEqual(held(defaults, {}), {
    limits: [1],
    limitsFrom: "default",
    quotas: [10],
    quotasFrom: "default",
  });
  assert.deepEqual(held(defaults, limits(2), quota(30)), {
    limits: [2],
    limitsFrom: "backend",
    quotas: [30],
    quotasFrom: "sub_url",
  });
});

Deno.test("limits without a mode are those of the defaults alone", () => {
  assert.deepEqual(held(rates(1), {}).limits, [1]);
  assert.deepEqual(held(rates(1), { rate_limit_mode: null, ...quota(1) }).limits, [1]);
});

Deno.test("an empty list of limits or quotas inherits: it never comes to mean none", () => {
  const { limits: calls, quotas } = held({ ...limits(1), ...quota(10) }, {
    rate_limits: [],
    quotas: [],
  }, { rate_limits: [], quotas: [] });
  assert.deepEqual([calls, quotas], [[1], [10]]);
});

Deno.test("unlimited lifts limits and quotas of its layer and those below, not those above", () => {
  const defaults = { ...limits(1), ...quota(10) };
  assert.deepEqual(held(defaults, unlimited), {
    limits: [],
    limitsFrom: "backend",
    quotas: [],
    quotasFrom: "backend",
  });
  assert.deepEqual(held(defaults, unlimited, { ...limits(3), ...quota(30) }), {
    limits: [3],
    limitsFrom: "sub_url",
    quotas: [30],
    quotasFrom: "sub_url",
  });
  assert.deepEqual(held(defaults, unlimited, limits(3)).quotas, [], "still lifted");
  assert.deepEqual(held(unlimited, quota(20)), {
    limits: [],
    limitsFrom: "default",
    quotas: [20],
    quotasFrom: "backend",
  });
});

Deno.test("settings from before there were quotas have none", () => {
  assert.deepEqual(held(limits(1), {}).quotasFrom, "server");
});
