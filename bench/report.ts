/** The figures as people read them: ratios first, then what they are made of. */
import type { Group } from "./cases.ts";
import { type Goal, goals, ratio, type Results } from "./goals.ts";
import { CONNECTIONS } from "./load.ts";
import { driver, type Machine, missingPrograms, nodeRuntime, upstreamProgram } from "./machine.ts";
import type { Latencies } from "./latency.ts";
import type { Sample, Samples } from "./measure.ts";
import type { Options } from "./options.ts";
import type { Starts } from "./startup.ts";
import { median } from "./statistics.ts";

/** Where and with what is measured, and what is missing. */
export function machineText(machine: Machine): string {
  const pinned = machine.pins
    ? "load and upstream held to core 0, each gateway to core 1"
    : "no process held to a core";
  return [
    `${machine.processor}, ${machine.cores} cores; Deno ${Deno.version.deno}`,
    `${driver(machine)} drives with ${CONNECTIONS} connections; ` +
    `${upstreamProgram(machine)} is the upstream; ${nodeRuntime(machine)} runs the npm proxies`,
    pinned,
    ...missingPrograms(machine).map((missing) => `missing: ${missing}`),
    "",
  ].join("\n");
}

/** A table of a group: what a request costs, in relation to the group's base. */
export function groupTable(group: Group, samples: Samples): string {
  const rows = group.cases.flatMap(({ name, title }) => {
    const taken = samples.get(name);
    if (taken === undefined) return [];
    const middle = (fact: (sample: Sample) => number) => median(taken.map(fact));
    const micros = taken.map(({ cpuMicros }) => cpuMicros);
    const failures = taken.reduce((sum, { failures }) => sum + failures, 0);
    return [[
      title,
      (ratio(samples, name, group.base) ?? NaN).toFixed(2),
      middle(({ cpuMicros }) => cpuMicros).toFixed(1),
      `${Math.min(...micros).toFixed(1)}–${Math.max(...micros).toFixed(1)}`,
      middle(({ requestsPerSecond }) => requestsPerSecond).toFixed(0),
      middle(({ p50 }) => p50).toFixed(2),
      middle(({ p99 }) => p99).toFixed(2),
      disturbance(taken),
      failures === 0 ? "" : `${failures} wrong answers`,
    ]];
  });
  const head = ["", "ratio", "CPU µs", "least–most", "req/s", "p50 ms", "p99 ms", "others %", ""];
  return `${group.title}\n${table([head, ...rows])}`;
}

function disturbance(samples: readonly Pick<Sample, "disturbed">[]): string {
  const parts = samples.map(({ disturbed }) => disturbed).filter((part) => part !== null);
  return parts.length === 0 ? "" : (median(parts) * 100).toFixed(0);
}

export function latencyTable(group: Group, { rate, samples }: Latencies): string {
  const rows = group.cases.flatMap(({ name, title }) => {
    const taken = samples.get(name);
    const bases = samples.get(group.base);
    if (taken === undefined || bases === undefined) return [];
    const added = taken.map(({ p99 }, round) => p99 - (bases[round]?.p99 ?? NaN));
    return [[
      title,
      median(added).toFixed(2),
      median(taken.map(({ p50 }) => p50)).toFixed(2),
      median(taken.map(({ p99 }) => p99)).toFixed(2),
      disturbance(taken),
    ]];
  });
  return `${group.title}: ${rate} a second\n${
    table([["", "p99 added ms", "p50 ms", "p99 ms", "others %"], ...rows])
  }`;
}

export function startTable({ one, auto }: Starts): string {
  const row = (title: string, starts: Starts["one"]) => [
    title,
    median(starts.map(({ firstAnswer }) => firstAnswer)).toFixed(0),
    (median(starts.map(({ idleBytes }) => idleBytes)) / 1e6).toFixed(0),
  ];
  return `Start\n${
    table([
      ["", "first answer ms", "idle MB"],
      row("1 worker", one),
      row("workers: auto", auto),
    ])
  }`;
}

/** Goals of what was not measured are listed too, unless only some cases were wanted. */
export function goalTable(results: Results, { only }: Options): string {
  const rows = goals.flatMap((goal) => {
    const value = goal.value(results);
    if (value === undefined && only !== null) return [];
    return [[goal.title, written(goal, value), goal.aim, mark(goal, value)]];
  });
  return `Goals\n${table([["", "is", "aim", ""], ...rows])}`;
}

function written({ unit }: Goal, value: number | undefined): string {
  if (value === undefined) return "not measured";
  return `${value.toFixed(unit === "" || value < 10 ? 2 : 0)} ${unit}`.trim();
}

function mark({ isMet }: Goal, value: number | undefined): string {
  if (value === undefined) return "";
  return isMet(value) ? "✓" : "✗";
}

/** The first column to the left, the others to the right; the last may be empty. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    }).join("   ").trimEnd();
  return rows.map((row) => `  ${line(row)}`).join("\n") + "\n";
}
