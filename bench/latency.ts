/**
 * What a gateway adds to the latency of its upstream: everything is called at one fixed rate,
 * half of what Portico's guarded backend takes at most.
 */
import { fileURLToPath } from "node:url";
import type { Bench } from "./bench.ts";
import type { Group } from "./cases.ts";
import { Child } from "./child.ts";
import { untilQuiet } from "./cpu.ts";
import { CONNECTIONS, drive } from "./load.ts";
import { GATEWAY_CORE, heldTo, LOAD_CORE } from "./machine.ts";
import type { OpenLoop, OpenLoopResult } from "./open_loop.ts";
import type { Options } from "./options.ts";
import { median } from "./statistics.ts";
import { inTurns, startSubjects, type Subject, type Tell } from "./subjects.ts";
import { beginUsage, calmest, type Usage } from "./usage.ts";

export type LatencySample = OpenLoopResult & Pick<Usage, "disturbed">;

export interface Latencies {
  /** Calls a second. */
  readonly rate: number;
  /** One a round, by the name of the case. */
  readonly samples: ReadonlyMap<string, readonly LatencySample[]>;
}

export async function measureLatencies(
  bench: Bench,
  group: Group,
  { rounds, seconds }: Options,
  tell: Tell,
): Promise<Latencies> {
  await using stack = new AsyncDisposableStack();
  const site = await bench.site(stack, GATEWAY_CORE);
  const subjects = await startSubjects(bench, group, site, tell);
  const rate = Math.round(await saturation(bench, subjects, seconds) / 2);
  const samples = await inTurns(
    bench,
    subjects,
    rounds,
    tell,
    (subject) => calmest(() => offer(bench, subject, rate, seconds)),
  );
  return { rate, samples };
}

/** Calls a second that Portico's guarded backend takes at most. */
async function saturation(
  bench: Bench,
  subjects: readonly Subject[],
  seconds: number,
): Promise<number> {
  const guarded = subjects.find((subject) => subject.case.name === "guarded");
  if (guarded === undefined) throw new Error("the group has no case named guarded");
  const tries: number[] = [];
  while (tries.length < 3) {
    const { gateway, load } = guarded;
    tries.push((await drive(bench, gateway.url, load, seconds)).requestsPerSecond);
  }
  return median(tries);
}

async function offer(
  bench: Bench,
  { gateway, load }: Subject,
  rate: number,
  seconds: number,
): Promise<LatencySample> {
  const openLoop: OpenLoop = {
    port: gateway.port,
    path: load.path,
    headers: load.headers ?? {},
    rate,
    seconds,
    connections: CONNECTIONS,
  };
  await untilQuiet(gateway.pid);
  const isDirect = gateway.pid === bench.upstream.pid;
  const usage = beginUsage(gateway.pid, bench.machine.pins && !isDirect ? GATEWAY_CORE : null);
  const client = new Child([
    // The client never sleeps: without this it would keep the upstream from its core for milliseconds.
    ...["nice", "-n", "19"],
    ...heldTo(LOAD_CORE, bench.machine),
    ...[Deno.execPath(), "run", "--allow-net=127.0.0.1"],
    ...[fileURLToPath(new URL("./open_loop.ts", import.meta.url)), JSON.stringify(openLoop)],
  ]);
  const lines = (await client.finished()).trim().split("\n");
  const { disturbed } = usage();
  return { ...JSON.parse(lines.at(-1) ?? "") as OpenLoopResult, disturbed };
}
