/** How long Portico takes from its start to the first answer, and what it holds when idle. */
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { residentBytes, untilQuiet } from "./cpu.ts";
import { freePort } from "./child.ts";
import { porticoOptions, type PorticoSetup } from "./portico.ts";
import { storeUsers } from "./stored_keys.ts";
import type { Tell } from "./subjects.ts";
import { spawnPortico } from "../tests/harness/portico.ts";

export interface Start {
  /** Milliseconds from the start of `bin/portico` to a first answer by way of the upstream. */
  readonly firstAnswer: number;
  /** Resident memory once nothing more is to be done, bytes. */
  readonly idleBytes: number;
}

/** By workers: one, and as many as Portico takes by itself. */
export interface Starts {
  readonly one: readonly Start[];
  readonly auto: readonly Start[];
}

/** Starts Portico anew each round, on all cores, as somebody who starts it would. */
export async function measureStarts(bench: Bench, rounds: number, tell: Tell): Promise<Starts> {
  const starts = { one: [] as Start[], auto: [] as Start[] };
  for (let round = 0; round < rounds; round++) {
    tell(`start of Portico: round ${round + 1} of ${rounds}`);
    starts.one.push(await measureStart(bench, { guarded: true, workers: 1 }));
    starts.auto.push(await measureStart(bench, { guarded: true, workers: "auto" }));
  }
  return starts;
}

async function measureStart(bench: Bench, setup: PorticoSetup): Promise<Start> {
  await using stack = new AsyncDisposableStack();
  const site = await bench.site(stack, null);
  const dataFolder = join(site.folder, "data");
  const [key = ""] = await storeUsers(join(dataFolder, "portico.kv"), 1);
  const port = freePort();
  const options = await porticoOptions(site, setup, dataFolder);
  const begin = performance.now();
  const portico = site.owns(
    await spawnPortico({ ...options, env: { PORTICO_HTTP_PORT: String(port) } }),
  );
  await untilAnswered(`http://127.0.0.1:${port}/api/small`, key);
  const firstAnswer = performance.now() - begin;
  await untilQuiet(portico.pid);
  return { firstAnswer, idleBytes: residentBytes(portico.pid) };
}

/** Milliseconds after which a start has failed. */
const PATIENCE = 30_000;

async function untilAnswered(url: string, key: string): Promise<void> {
  const end = performance.now() + PATIENCE;
  while (!await isAnswered(url, key)) {
    if (performance.now() > end) throw new Error(`${url} was not answered`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function isAnswered(url: string, key: string): Promise<boolean> {
  try {
    const response = await fetch(url, { headers: { "x-api-key": key } });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false; // nothing listens yet
  }
}
