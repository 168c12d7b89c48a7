/** The cases of a group, each with its gateway running and warm, and taking turns. */
import type { Bench } from "./bench.ts";
import type { Case, Group } from "./cases.ts";
import { untilQuiet } from "./cpu.ts";
import type { Gateway, GatewaySite, StartGateway } from "./gateway.ts";
import { drive, type Load } from "./load.ts";

export interface Subject {
  readonly case: Case;
  readonly gateway: Gateway;
  readonly load: Load;
}

/** Hears what is being done. */
export type Tell = (doing: string) => void;

/**
 * Seconds of load before every measurement, for compilers and pools. While other gateways are
 * measured, a JavaScript engine gives memory back and forgets what it had compiled.
 */
const WARM_UP = 2;

/** Throws when a gateway does not do what is to be measured. */
export async function startSubjects(
  bench: Bench,
  group: Group,
  site: GatewaySite,
  tell: Tell,
): Promise<readonly Subject[]> {
  const gateways = new Map<StartGateway, Gateway>();
  const subjects: Subject[] = [];
  for (const item of group.cases) {
    tell(`${item.title}: starting`);
    const gateway = gateways.get(item.start) ?? await item.start(site);
    gateways.set(item.start, gateway);
    const subject = { case: item, gateway, load: await item.load(gateway, bench) };
    await prove(bench, subject);
    subjects.push(subject);
  }
  return subjects;
}

async function prove(bench: Bench, { case: item, gateway, load }: Subject): Promise<void> {
  await untilQuiet(gateway.pid);
  const { requests, failures } = await drive(bench, gateway.url, load, WARM_UP);
  if (failures > requests / 100) {
    throw new Error(`${item.title}: ${failures} of ${requests} calls were answered wrongly`);
  }
}

/** Samples of every case, by its name: one a round, all cases in each, all of them warm. */
export async function inTurns<T>(
  bench: Bench,
  subjects: readonly Subject[],
  rounds: number,
  tell: Tell,
  sample: (subject: Subject) => Promise<T>,
): Promise<ReadonlyMap<string, readonly T[]>> {
  const samples = new Map<string, T[]>(subjects.map(({ case: { name } }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      tell(`${subject.case.title}: round ${round + 1} of ${rounds}`);
      await drive(bench, subject.gateway.url, subject.load, WARM_UP);
      samples.get(subject.case.name)?.push(await sample(subject));
    }
  }
  return samples;
}
