/**
 * How the servers of a backend fare, as plain data: what one isolate knows, and what
 * all of them know together.
 */

/** How a server stands in one isolate. Times are ISO 8601. */
export interface ServerState {
  /** `host:port` */
  readonly name: string;
  /** IP addresses that the host leads to; empty before it was asked for. */
  readonly addresses: readonly string[];
  /** Why the host could not be resolved the last time; null when it could. */
  readonly dns_failure: string | null;
  /** Calls that it carries. */
  readonly busy: number;
  /** Connections that wait for a call. */
  readonly idle: number;
  /**
   * - `up`: it gets calls
   * - `left_out`: it failed, and is tried again by one call at `left_out_until`
   * - `unhealthy`: it fails its health checks, and gets calls when no other remains
   */
  readonly condition: "up" | "left_out" | "unhealthy";
  /** Times in a row that it was left out. */
  readonly failures: number;
  readonly left_out_until: string | null;
  /** The last time that it could not be connected to or gave no answer. */
  readonly last_failure: Occurrence | null;
  /** The last health check; null without one. */
  readonly last_check: CheckOutcome | null;
}

export interface Occurrence {
  readonly at: string;
  readonly message: string;
}

export interface CheckOutcome extends Occurrence {
  readonly passed: boolean;
}

/** How a server stands in all isolates together. */
export interface ServerHealth extends Omit<ServerState, "condition"> {
  /** `partly_up`: not all isolates hold the same of it. */
  readonly condition: ServerState["condition"] | "partly_up";
  /** Isolates in which it gets calls, and all of them. */
  readonly up_in: number;
  readonly isolates: number;
}

/**
 * What several isolates know of the same servers, in the order of the first one that
 * names them: counts are added up, of times and messages the newest stands.
 */
export function mergeServerStates(
  isolates: readonly (readonly ServerState[])[],
): ServerHealth[] {
  const states = Map.groupBy(isolates.flat(), ({ name }) => name);
  return [...states.values()].map(merged);
}

function merged(states: readonly ServerState[]): ServerHealth {
  const [{ name, condition }] = states as [ServerState, ...ServerState[]]; // groups are not empty
  const isSame = states.every((state) => state.condition === condition);
  return {
    name,
    addresses: [...new Set(states.flatMap(({ addresses }) => addresses))],
    dns_failure: states.find(({ dns_failure }) => dns_failure !== null)?.dns_failure ?? null,
    busy: sum(states, ({ busy }) => busy),
    idle: sum(states, ({ idle }) => idle),
    condition: isSame ? condition : "partly_up",
    failures: Math.max(...states.map(({ failures }) => failures)),
    left_out_until: latest(states.map(({ left_out_until }) => left_out_until), (time) => time),
    last_failure: latest(states.map(({ last_failure }) => last_failure), ({ at }) => at),
    last_check: latest(states.map(({ last_check }) => last_check), ({ at }) => at),
    up_in: states.filter((state) => state.condition === "up").length,
    isolates: states.length,
  };
}

function sum(states: readonly ServerState[], count: (state: ServerState) => number): number {
  return states.reduce((total, state) => total + count(state), 0);
}

/** The item with the latest time; ISO 8601 in UTC sorts as text. */
function latest<T>(items: readonly (T | null)[], time: (item: T) => string): T | null {
  return items.reduce(
    (last, item) => last === null || (item !== null && time(item) > time(last)) ? item : last,
    null,
  );
}
