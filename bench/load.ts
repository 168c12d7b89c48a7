/** Load at saturation: a fixed number of connections, each calling again as soon as it is answered. */
import { fileURLToPath } from "node:url";
import { Child } from "./child.ts";
import { heldTo, LOAD_CORE, type Machine } from "./machine.ts";

export const CONNECTIONS = 32;

/** What is asked of a gateway. */
export interface Load {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes to POST; without it, GET. */
  readonly postBytes?: number;
  /** A file with a key a line, one for each call in turn. */
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

interface WrkReport {
  readonly requests: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly statusErrors: number;
  readonly socketErrors: number;
  readonly p50: number;
  readonly p99: number;
}

const script = fileURLToPath(new URL("./wrk/calls.lua", import.meta.url));

/**
 * Drives `seconds` of load. `firstKey` is the line of the keys' file to begin at.
 * Throws when the gateway answers nothing at all.
 */
export async function drive(
  machine: Machine,
  base: string,
  load: Load,
  seconds: number,
  firstKey = 0,
): Promise<LoadResult> {
  const headers = Object.entries(load.headers ?? {}).flatMap(([name, value]) => [
    "--header",
    `${name}: ${value}`,
  ]);
  await using wrk = new Child([
    ...heldTo(LOAD_CORE, machine),
    machine.wrk ?? "wrk",
    "--threads=1",
    `--connections=${CONNECTIONS}`,
    `--duration=${seconds}s`,
    "--timeout=10s",
    `--script=${script}`,
    ...headers,
    base + load.path,
    "--",
    String(load.postBytes ?? 0),
    ...(load.keysFile === undefined ? [] : [load.keysFile, String(firstKey)]),
  ]);
  const output = await wrk.finished();
  const line = /^BENCH (.*)$/m.exec(output)?.[1];
  if (line === undefined) throw new Error(`wrk said nothing:\n${output}`);
  const report = JSON.parse(line) as WrkReport;
  if (report.requests === 0) throw new Error(`${base}${load.path} answered nothing:\n${output}`);
  return {
    requests: report.requests,
    requestsPerSecond: report.requests / report.seconds,
    p50: report.p50,
    p99: report.p99,
    failures: Math.abs(report.statusErrors - (load.refused ? report.requests : 0)) +
      report.socketErrors,
  };
}
