/** Keeps the raw figures of a run as JSON, for comparisons later. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { goals, type Results } from "./goals.ts";
import { driver, type Machine, nodeRuntime, upstreamProgram } from "./machine.ts";
import type { Options } from "./options.ts";

/** Writes the figures; gives the path of the file. */
export async function keepResults(
  machine: Machine,
  { rounds, seconds, keep }: Options,
  results: Results,
): Promise<string> {
  const now = new Date().toISOString();
  const text = JSON.stringify(
    {
      measured_at: now,
      machine: {
        processor: machine.processor,
        cores: machine.cores,
        pinned: machine.pins,
        deno: Deno.version.deno,
        driver: driver(machine),
        upstream: upstreamProgram(machine),
        npm_proxies_on: nodeRuntime(machine),
      },
      rounds,
      seconds,
      goals: goals.map((goal) => {
        const value = goal.value(results) ?? null;
        const { title, aim, unit } = goal;
        return { title, aim, unit, value, met: value === null ? null : goal.isMet(value) };
      }),
      groups: Object.fromEntries(
        [...results.groups].map(([name, samples]) => [name, Object.fromEntries(samples)]),
      ),
      latency: results.latencies === null ? null : {
        rate: results.latencies.rate,
        samples: Object.fromEntries(results.latencies.samples),
      },
      starts: results.starts,
    },
    null,
    2,
  ) + "\n";
  const path = pathOf(`results/${now.replaceAll(":", "").slice(0, 17)}.json`);
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
  if (keep) await Deno.writeTextFile(pathOf("results.json"), text);
  return path;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
