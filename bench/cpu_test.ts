import assert from "node:assert/strict";
import { coresMicros, cpuMicros, parseStat, residentBytes } from "./cpu.ts";

Deno.test("a program's name may hold blanks and parentheses", () => {
  const fields = "S 41 7 7 0 -1 4194304 1 2 3 4 120 30 5 6 20 0 1 0 9";
  const stat = parseStat(`42 (a (strange) name) ${fields}`);
  assert.deepEqual(stat, { parent: 41, cpuMicros: (120 + 30 + 5 + 6) * 10_000 });
});

Deno.test("the CPU time of a process is what it used, memory what it holds", () => {
  const end = performance.now() + 50;
  const before = cpuMicros(Deno.pid);
  while (performance.now() < end || cpuMicros(Deno.pid) === before);
  assert.ok(cpuMicros(Deno.pid) > before);
  assert.ok(residentBytes(Deno.pid) > 10_000_000);
});

Deno.test("a process that has ended has used nothing and holds nothing", async () => {
  const child = new Deno.Command("true").spawn();
  await child.status;
  assert.equal(cpuMicros(child.pid), 0);
  assert.equal(residentBytes(child.pid), 0);
});

Deno.test("the CPU time of cores is that of all their processes", () => {
  const [one, two] = [coresMicros("0"), coresMicros("0,1")];
  assert.ok(one > 0);
  assert.ok(two >= one);
});
