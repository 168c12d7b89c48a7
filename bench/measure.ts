/** Measures what a request costs a gateway, with as much load as it takes. */
import type { Bench } from "./bench.ts";
import type { Group } from "./cases.ts";
import { coresMicros, cpuMicros, untilQuiet } from "./cpu.ts";
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
  /**
   * The part of the gateway's core that others took meanwhile, from 0 to 1. Null where the
   * core was not the gateway's alone.
   */
  readonly disturbed: number | null;
}

/** One a round, by the name of the case. */
export type Samples = ReadonlyMap<string, readonly Sample[]>;

/** More of the core than this taken by others makes a measurement worth repeating. */
const DISTURBED = 0.05;
const TRIES = 3;

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
  const isAlone = bench.machine.pins && !group.twoCores;
  return await inTurns(subjects, rounds, tell, (subject, round) => {
    const firstKey = (round + 1) * seconds * KEYS_A_SECOND;
    return calmest(() => measure(bench, subject, seconds, firstKey, isAlone ? site.cores : null));
  });
}

/** Measures again while others disturb; of all tries, the one that was disturbed least counts. */
async function calmest(measure: () => Promise<Sample>): Promise<Sample> {
  let best = await measure();
  for (let tries = 1; tries < TRIES && (best.disturbed ?? 0) > DISTURBED; tries++) {
    const next = await measure();
    if ((next.disturbed ?? 0) < (best.disturbed ?? 0)) best = next;
  }
  return best;
}

/** `own` are the cores that are the gateway's alone, if any. */
async function measure(
  bench: Bench,
  { gateway, load }: Subject,
  seconds: number,
  firstKey: number,
  own: string | null,
): Promise<Sample> {
  await untilQuiet(gateway.pid);
  const begin = performance.now();
  const before = cpuMicros(gateway.pid);
  const coresBefore = own === null ? 0 : coresMicros(own);
  const { requests, ...figures } = await drive(bench, gateway.url, load, seconds, firstKey);
  await untilQuiet(gateway.pid); // its log is flushed: that belongs to the calls
  const used = cpuMicros(gateway.pid) - before;
  const elapsed = (performance.now() - begin) * 1000;
  return {
    ...figures,
    cpuMicros: used / requests,
    disturbed: own === null ? null : Math.max(0, (coresMicros(own) - coresBefore - used) / elapsed),
  };
}
