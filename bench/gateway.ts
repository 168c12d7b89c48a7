/** A gateway under measurement, and what it is started with. */
import type { Machine } from "./machine.ts";

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** Without a slash at its end. */
  readonly url: string;
}

export interface Gateway extends Server {
  /** Keys that are let through; none where no key is asked for. */
  readonly keys: readonly string[];
}

/** Where servers are started: what they need of their surroundings. */
export interface Site {
  readonly machine: Machine;
  /** A folder for their files. */
  readonly folder: string;
  /** The cores they are held to; null: to none. */
  readonly cores: string | null;
  /** Ends `resource` when the measurement is over. */
  owns<T extends AsyncDisposable>(resource: T): T;
}

/** The site of a gateway. */
export interface GatewaySite extends Site {
  readonly upstream: Server;
  /** The folder with the programs for Node.js and their packages (`peers/packages.ts`). */
  packages(): Promise<string>;
}

export type StartGateway = (site: GatewaySite) => Promise<Gateway>;
