/** Measures what a request costs a gateway, with as much load as it takes. */
import type { Bench } from "./bench.ts";
import type { Group } from "./cases.ts";
import { cpuMicros, untilQuiet } from "./cpu.ts";
import { drive } from "./load.ts";
import { gatewayCores } from "./machine.ts";
import type { Options } from "./options.ts";
import { inTurns, startSubjects, type Subject, type Tell } from "./subjects.ts";

/** One measurement of one case. */
export interface Sample {
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

/** Lines of a keys' file that one second of load uses up at most. */
const KEYS_A_SECOND = 40_000;

export async function measureGroup(
  bench: Bench,
  group: Group,
  { rounds, seconds }: Options,
  tell: Tell,
): Promise<Samples> {
  await using stack = new AsyncDisposableStack();
  const site = await bench.site(stack, gatewayCores(bench.machine, group.twoCores ?? false));
  const subjects = await startSubjects(bench, group, site, tell);
  return await inTurns(subjects, rounds, tell, (subject, round) => {
    const firstKey = (round + 1) * seconds * KEYS_A_SECOND;
    return measure(bench, subject, seconds, firstKey);
  });
}

async function measure(
  bench: Bench,
  { gateway, load }: Subject,
  seconds: number,
  firstKey: number,
): Promise<Sample> {
  await untilQuiet(gateway.pid);
  const before = cpuMicros(gateway.pid);
  const { requests, ...figures } = await drive(bench, gateway.url, load, seconds, firstKey);
  await untilQuiet(gateway.pid); // its log is flushed: that belongs to the calls
  return { ...figures, cpuMicros: (cpuMicros(gateway.pid) - before) / requests };
}
