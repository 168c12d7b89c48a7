/** Load at saturation: a fixed number of connections, each calling again as soon as it is answered. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench } from "./bench.ts";
import { Child } from "./child.ts";
import { heldTo, LOAD_CORE } from "./machine.ts";
import { nodeCommand } from "./peers/packages.ts";

export const CONNECTIONS = 32;

/** A load begins with any of so many lines of a keys' file. */
const FIRST_KEYS = 200_000;

/** What is asked of a gateway. */
export interface Load {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes to POST; without it, GET. */
  readonly postBytes?: number;
  /** A file with a key a line; each call brings the next one. */
  readonly keysFile?: string;
  /** Whether calls are to be refused (4xx) instead of answered with 200. */
  readonly refused?: boolean;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Answers of another kind than was due, and broken connections. */
  readonly failures: number;
}

/** What both drivers print. */
interface Report {
  readonly requests: number;
  readonly seconds: number;
  /** Answers of 4xx and 5xx. */
  readonly statusErrors: number;
  readonly socketErrors: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/**
 * Drives `seconds` of load against `url`, by wrk or else autocannon. Keys of a file are taken
 * from anywhere on. Throws when the gateway answers nothing at all.
 */
export async function drive(
  bench: Bench,
  url: string,
  load: Load,
  seconds: number,
): Promise<LoadResult> {
  const firstKey = Math.floor(Math.random() * FIRST_KEYS);
  const command = bench.machine.wrk === null
    ? await autocannon(bench, url, load, seconds, firstKey)
    : wrk(bench.machine.wrk, url, load, seconds, firstKey);
  const output = await new Child([...heldTo(LOAD_CORE, bench.machine), ...command]).finished();
  const line = /^BENCH (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`the load generator said nothing:\n${output}`);
  const report = JSON.parse(line) as Report;
  if (report.requests === 0) throw new Error(`${url}${load.path} answered nothing:\n${output}`);
  return {
    requests: report.requests,
    requestsPerSecond: report.requests / report.seconds,
    p50: report.p50,
    p99: report.p99,
    failures: Math.abs(report.statusErrors - (load.refused ? report.requests : 0)) +
      report.socketErrors,
  };
}

function wrk(
  program: string,
  url: string,
  load: Load,
  seconds: number,
  firstKey: number,
): readonly string[] {
  const script = fileURLToPath(new URL("./wrk/calls.lua", import.meta.url));
  const headers = Object.entries(load.headers ?? {});
  return [
    program,
    "--threads=1",
    `--connections=${CONNECTIONS}`,
    `--duration=${seconds}s`,
    "--timeout=10s",
    `--script=${script}`,
    ...headers.map(([name, value]) => `--header=${name}: ${value}`),
    url + load.path,
    "--",
    String(load.postBytes ?? 0),
    ...(load.keysFile === undefined ? [] : [load.keysFile, String(firstKey)]),
  ];
}

async function autocannon(
  bench: Bench,
  url: string,
  load: Load,
  seconds: number,
  firstKey: number,
): Promise<readonly string[]> {
  return [
    ...nodeCommand(bench.machine),
    join(await bench.packages(), "drive.cjs"),
    JSON.stringify({
      ...load,
      url: url + load.path,
      connections: CONNECTIONS,
      seconds,
      postBytes: load.postBytes ?? 0,
      firstKey,
    }),
  ];
}
