/** Chooses the server for a call. Pure: everything it looks at is handed in. */

export type BalanceAlgorithm = "least_conn" | "round_robin";

/** A server as far as choosing goes. */
export interface Candidate {
  /** Calls it has at the moment. */
  readonly busy: number;
  readonly health: { isUsable(now: () => number): boolean };
}

export interface Choice<Server> {
  readonly servers: readonly Server[];
  readonly algorithm: BalanceAlgorithm;
  /** Grows by one with every call: where the round begins, and who wins a tie. */
  readonly turn: number;
  /** Servers that this call has been refused by. */
  readonly tried: ReadonlySet<Server> | null;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/**
 * The next server in the round, or the one with the fewest calls; undefined when
 * the call has tried all of them. A server that is left out because it failed
 * gets a call only when no other remains: better a vain attempt than a vain refusal.
 */
export function choose<Server extends Candidate>(choice: Choice<Server>): Server | undefined {
  return best(choice, true) ?? best(choice, false);
}

function best<Server extends Candidate>(
  { servers, algorithm, turn, tried, now }: Choice<Server>,
  onlyUsable: boolean,
): Server | undefined {
  let found: Server | undefined;
  for (let step = 0; step < servers.length; step++) {
    const server = servers[(turn + step) % servers.length]!; // within bounds by the modulus
    if (tried?.has(server) || (onlyUsable && !server.health.isUsable(now))) continue;
    if (algorithm === "round_robin") return server;
    if (found === undefined || server.busy < found.busy) found = server;
  }
  return found;
}
