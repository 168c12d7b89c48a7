import assert from "node:assert/strict";
import { goals, type Results } from "./goals.ts";
import type { Sample } from "./measure.ts";

function sample(cpuMicros: number): Sample {
  return { cpuMicros, requestsPerSecond: 1, p50: 1, p99: 1, failures: 0, disturbed: null };
}

function goal(title: string) {
  const found = goals.find((goal) => goal.title === title);
  assert.ok(found !== undefined);
  return found;
}

const nothing: Results = { groups: new Map(), latencies: null, starts: null };

Deno.test("a goal whose cases were not measured has no figure", () => {
  for (const { value } of goals) assert.equal(value(nothing), undefined);
});

Deno.test("a ratio is one of CPU time, of the cases of one group", () => {
  const samples = new Map([["guarded", [sample(30)]], ["plain", [sample(20)]]]);
  const results = { ...nothing, groups: new Map([["gateways", samples]]) };
  const { value, isMet } = goal("guarded ÷ plain");
  assert.equal(value(results), 1.5);
  assert.equal(isMet(1.5), false);
  assert.equal(isMet(1.18), true);
});

Deno.test("the latency added is that of the gateway less that of the upstream, round by round", () => {
  const latencies = (...p99s: number[]) =>
    p99s.map((p99) => ({ calls: 1, failures: 0, p50: 0, p99, disturbed: null }));
  const samples = new Map([
    ["direct", latencies(0.2, 5)],
    ["guarded", latencies(0.7, 5.5)],
  ]);
  const value = goal("p99 added at half of saturation")
    .value({ ...nothing, latencies: { rate: 1, samples } });
  assert.ok(Math.abs((value ?? 0) - 0.5) < 1e-9);
});
