/** A case: a gateway under a load. */
import type { Bench } from "./bench.ts";
import type { Gateway, StartGateway } from "./gateway.ts";
import type { Load } from "./load.ts";

export interface Case {
  readonly name: string;
  readonly title: string;
  /** Cases of a group with the same one share the gateway. */
  readonly start: StartGateway;
  readonly load: (gateway: Gateway, bench: Bench) => Load | Promise<Load>;
  /** What must be installed for it; without, nothing but npm packages. */
  readonly needs?: "nginx" | "nginxLua";
}

export interface Group {
  readonly name: string;
  readonly title: string;
  /** The case that the others are set in relation to. */
  readonly base: string;
  readonly cases: readonly Case[];
  /** Whether the gateways have two cores instead of one. */
  readonly twoCores?: boolean;
}

/** A GET with the gateway's key, if it asks for one. */
export function get(path: string): Case["load"] {
  return ({ keys }) => ({ path, headers: keyHeader(keys[0]) });
}

/** The same as a POST of so many bytes. */
export function post(path: string, postBytes: number): Case["load"] {
  return ({ keys }) => ({ path, headers: keyHeader(keys[0]), postBytes });
}

function keyHeader(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { "x-api-key": key };
}

/** Every call brings another key of those that the gateway lets through. */
export function callersInTurn(path: string): Case["load"] {
  return async ({ keys }, bench) => ({ path, keysFile: await bench.writeKeys(keys) });
}

/** Every call brings another key, well formed, that nobody holds. */
export function unknownKeys(path: string): Case["load"] {
  return async (_, bench) => ({ path, keysFile: await bench.unknownKeys(), refused: true });
}

export function withoutKey(path: string): Case["load"] {
  return () => ({ path, refused: true });
}
