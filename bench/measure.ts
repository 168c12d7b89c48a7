/** Measures what a request costs a gateway, with as much load as it takes. */
import type { Bench } from "./bench.ts";
import type { Group } from "./cases.ts";
import { untilQuiet } from "./cpu.ts";
import { drive } from "./load.ts";
import { GATEWAY_CORE, twoCores } from "./machine.ts";
import type { Options } from "./options.ts";
import { inTurns, startSubjects, type Subject, type Tell } from "./subjects.ts";
import { beginUsage, calmest, type Usage } from "./usage.ts";

/** One measurement of one case. */
export interface Sample extends Pick<Usage, "disturbed"> {
  /** User and system time of the gateway's processes, in microseconds a request. */
  readonly cpuMicros: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

/** One a round, by the name of the case. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

export async function measureGroup(
  bench: Bench,
  group: Group,
  { rounds, seconds }: Options,
  tell: Tell,
): Promise<Samples> {
  await using stack = new AsyncDisposableStack();
  const site = await bench.site(stack, group.twoCores ? twoCores(bench.machine) : GATEWAY_CORE);
  const subjects = await startSubjects(bench, group, site, tell);
  const own = bench.machine.pins && !group.twoCores ? GATEWAY_CORE : null;
  return await inTurns(
    bench,
    subjects,
    rounds,
    tell,
    (subject) => calmest(() => measure(bench, subject, seconds, own)),
  );
}

/** `own` are the cores that are the gateway's alone, if any. */
async function measure(
  bench: Bench,
  { gateway, load }: Subject,
  seconds: number,
  own: string | null,
): Promise<Sample> {
  await untilQuiet(gateway.pid);
  const usage = beginUsage(gateway.pid, own);
  const { requests, ...figures } = await drive(bench, gateway.url, load, seconds);
  await untilQuiet(gateway.pid); // its log is flushed: that belongs to the calls
  const { micros, disturbed } = usage();
  return { ...figures, cpuMicros: micros / requests, disturbed };
}
