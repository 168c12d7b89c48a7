/** What the figures are to be, and what they are. */
import type { Latencies } from "./latency.ts";
import type { Sample, Samples } from "./measure.ts";
import type { Starts } from "./startup.ts";
import { median, medianRatio } from "./statistics.ts";

/** Everything that was measured. */
export interface Results {
  /** By the name of the group. */
  readonly groups: ReadonlyMap<string, Samples>;
  readonly latencies: Latencies | null;
  readonly starts: Starts | null;
}

export interface Goal {
  readonly title: string;
  /** What is aimed at, as people write it. */
  readonly aim: string;
  readonly isMet: (value: number) => boolean;
  readonly unit: "" | "ms" | "MB";
  /** Undefined when it was not measured. */
  readonly value: (results: Results) => number | undefined;
}

/** How many times `name` is of `base` in what `fact` tells of a sample. */
export function ratio(
  samples: Samples | undefined,
  name: string,
  base: string,
  fact: (sample: Sample) => number = ({ cpuMicros }) => cpuMicros,
): number | undefined {
  const [values, bases] = [samples?.get(name), samples?.get(base)];
  if (values === undefined || bases === undefined) return undefined;
  return medianRatio(values.map(fact), bases.map(fact));
}

function cpuRatio(group: string, name: string, base: string): Goal["value"] {
  return ({ groups }) => ratio(groups.get(group), name, base);
}

function atMost(most: number, unit: Goal["unit"] = ""): Pick<Goal, "aim" | "isMet" | "unit"> {
  return { aim: `≤ ${most}`, isMet: (value) => value <= most, unit };
}

export const goals: readonly Goal[] = [
  {
    title: "guarded ÷ nginx + Lua doing the same",
    ...atMost(1),
    value: cpuRatio("gateways", "guarded", "nginx-lua"),
  },
  {
    title: "guarded ÷ plain",
    ...atMost(1.18),
    value: cpuRatio("gateways", "guarded", "plain"),
  },
  {
    title: "fastify-http-proxy ÷ guarded",
    aim: "≥ 4.5",
    isMet: (value) => value >= 4.5,
    unit: "",
    value: cpuRatio("gateways", "fastify", "guarded"),
  },
  {
    title: "10,000 backends ÷ 1",
    ...atMost(1.1),
    value: cpuRatio("many", "backends", "one"),
  },
  {
    title: "1,000,000 keys ÷ 1",
    ...atMost(1.1),
    value: cpuRatio("many", "keys", "one"),
  },
  {
    title: "1,000,000 keys ÷ 10,000, 10,000 callers in turn",
    ...atMost(1.1),
    value: cpuRatio("many", "keys-callers", "callers"),
  },
  {
    title: "answers of 100 KiB: Portico plain ÷ nginx",
    ...atMost(1.5),
    value: cpuRatio("bodies", "plain-100k", "nginx-100k"),
  },
  {
    title: "two workers ÷ one",
    ...atMost(1.1),
    value: cpuRatio("workers", "two-workers", "one-worker"),
  },
  {
    title: "refusing an unknown key ÷ guarded",
    ...atMost(0.4),
    value: cpuRatio("refusals", "unknown-key", "let-through"),
  },
  {
    title: "guarded with a role, an IP rule and a header template ÷ guarded",
    ...atMost(1.1),
    value: cpuRatio("policies", "rules", "bare"),
  },
  {
    title: "a call answered out of the cache ÷ guarded",
    ...atMost(0.5),
    value: cpuRatio("policies", "cache-hit", "bare"),
  },
  {
    title: "p99 added at half of saturation",
    ...atMost(1, "ms"),
    value: ({ latencies }) => addedP99(latencies),
  },
  {
    title: "start to first answer, 1 worker",
    ...atMost(400, "ms"),
    value: ({ starts }) => starts === null ? undefined : firstAnswer(starts.one),
  },
  {
    title: "start to first answer, workers: auto",
    ...atMost(400, "ms"),
    value: ({ starts }) => starts === null ? undefined : firstAnswer(starts.auto),
  },
  {
    title: "idle memory, 1 worker",
    ...atMost(120, "MB"),
    value: ({ starts }) => starts === null ? undefined : megabytes(starts.one),
  },
  {
    title: "idle memory, workers: auto",
    ...atMost(120, "MB"),
    value: ({ starts }) => starts === null ? undefined : megabytes(starts.auto),
  },
];

function addedP99(latencies: Latencies | null): number | undefined {
  const direct = latencies?.samples.get("direct");
  const guarded = latencies?.samples.get("guarded");
  if (direct === undefined || guarded === undefined) return undefined;
  return median(guarded.map(({ p99 }, round) => p99 - (direct[round]?.p99 ?? NaN)));
}

function firstAnswer(starts: Starts["one"]): number {
  return median(starts.map(({ firstAnswer }) => firstAnswer));
}

function megabytes(starts: Starts["one"]): number {
  return median(starts.map(({ idleBytes }) => idleBytes)) / 1e6;
}
