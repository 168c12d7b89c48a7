/**
 * `deno task bench`: what a request costs Portico and its peers, measured side by side on
 * this machine. README.md says what each case does and how to read the figures.
 */
import { Bench } from "./bench.ts";
import type { Results } from "./goals.ts";
import { chosen, groups, latency, names, START } from "./groups.ts";
import { type Latencies, measureLatencies } from "./latency.ts";
import { measureGroup, type Samples } from "./measure.ts";
import { type Options, readOptions, usage } from "./options.ts";
import { goalTable, groupTable, latencyTable, machineText, startTable } from "./report.ts";
import { keepResults } from "./results.ts";
import { measureStarts, type Starts } from "./startup.ts";

let isInterrupted = false;

async function run(options: Options): Promise<void> {
  await using bench = await Bench.open();
  endOnSignals(bench);
  console.log(machineText(bench.machine));
  const isWanted = (name: string) => options.only === null || options.only.has(name);
  const results: Results = {
    groups: await measureGroups(bench, options),
    latencies: isWanted(latency.name) ? await latencies(bench, options) : null,
    starts: isWanted(START) ? await starts(bench, options) : null,
  };
  console.log(goalTable(results, options));
  console.log(`Raw figures: ${await keepResults(bench.machine, options, results)}`);
}

async function measureGroups(
  bench: Bench,
  options: Options,
): Promise<ReadonlyMap<string, Samples>> {
  const measured = new Map<string, Samples>();
  for (const group of groups.map((group) => chosen(group, bench.machine, options.only))) {
    if (group.cases.length === 0) continue;
    const samples = await measureGroup(bench, group, options, tell);
    measured.set(group.name, samples);
    print(groupTable(group, samples));
  }
  return measured;
}

async function latencies(bench: Bench, options: Options): Promise<Latencies> {
  const group = chosen(latency, bench.machine, null);
  const measured = await measureLatencies(bench, group, options, tell);
  print(latencyTable(group, measured));
  return measured;
}

async function starts(bench: Bench, { rounds }: Options): Promise<Starts> {
  const measured = await measureStarts(bench, rounds, tell);
  print(startTable(measured));
  return measured;
}

/** Shows a person who watches what is being done, on a line that is written over. */
function tell(doing: string): void {
  if (!Deno.stderr.isTerminal()) return;
  Deno.stderr.writeSync(new TextEncoder().encode(`\r\x1b[K${doing}`));
}

function print(text: string): void {
  tell("");
  console.log(text);
}

/** Ends the gateways too, which would run on, and removes their files. */
function endOnSignals(bench: Bench): void {
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
    Deno.addSignalListener(signal, async () => {
      isInterrupted = true;
      tell("ending\n");
      await bench[Symbol.asyncDispose]();
      Deno.exit(code);
    });
  }
}

/** What is wrong with the arguments goes to the person who gave them. */
function optionsOrExit(): Options {
  try {
    return readOptions(Deno.args, names);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
    Deno.exit(2);
  }
}

const options = optionsOrExit();
try {
  await run(options);
} catch (error) {
  if (!isInterrupted) throw error;
  await new Promise(() => {}); // the signal's listener ends the process
}
