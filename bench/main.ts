/** `deno task bench`: starts the gateways, measures them in turn, prints what a request costs. */
import { Bench } from "./bench.ts";
import { cases } from "./cases.ts";
import { cpuMicros, untilQuiet } from "./cpu.ts";
import { drive } from "./load.ts";
import { startUpstream } from "./upstream.ts";

const [names, rounds = "3", seconds = "3"] = Deno.args;
await using bench = await Bench.open();
const upstream = await startUpstream(bench);
const chosen = cases.filter(({ name }) => names === undefined || names.split(",").includes(name));
const subjects = [];
for (const { name, start } of chosen) subjects.push({ name, ...await start(bench, upstream) });

for (const { server, load } of subjects) await drive(bench.machine, server.url, load, 3);
for (let round = 0; round < Number(rounds); round++) {
  for (const { name, server, load } of subjects) {
    await untilQuiet(server.pid);
    const before = cpuMicros(server.pid);
    const result = await drive(bench.machine, server.url, load, Number(seconds));
    await untilQuiet(server.pid);
    const micros = (cpuMicros(server.pid) - before) / result.requests;
    console.log(
      name.padEnd(10),
      `${micros.toFixed(1)} µs`,
      `${result.requestsPerSecond.toFixed(0)}/s`,
      `p50 ${result.p50} ms, p99 ${result.p99} ms`,
      result.failures > 0 ? `${result.failures} failed` : "",
    );
  }
}
