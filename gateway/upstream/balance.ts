/** Chooses the server for a call. Pure: everything it looks at is handed in. */
import { affinity } from "./address_hash.ts";

/**
 * - `least_conn`: the server with the fewest calls
 * - `round_robin`: each in turn
 * - `ip_hash`: the same server for the same client
 */
export type BalanceAlgorithm = "least_conn" | "round_robin" | "ip_hash";

/** A server as far as choosing goes. */
export interface Candidate {
  /** Calls it has at the moment. */
  readonly busy: number;
  /** Stands for the server in `ip_hash`. */
  readonly hash: number;
  /** Whether calls may go to the server; `now` gives ms. */
  isUsable(now: () => number): boolean;
}

export interface Choice<Server> {
  readonly servers: readonly Server[];
  readonly algorithm: BalanceAlgorithm;
  /** Grows by one with every call: where the round begins, and who wins a tie. */
  readonly turn: number;
  /** Stands for the client in `ip_hash`. */
  readonly client: number;
  /** Servers that this call has been refused by. */
  readonly tried: ReadonlySet<Server> | null;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/**
 * The server that suits the call best; undefined when the call has tried all of
 * them. A server that is left out because it failed gets a call only when no other
 * remains: better a vain attempt than a vain refusal.
 */
export function choose<Server extends Candidate>(choice: Choice<Server>): Server | undefined {
  return best(choice, true) ?? best(choice, false);
}

function best<Server extends Candidate>(
  { servers, algorithm, turn, client, tried, now }: Choice<Server>,
  onlyUsable: boolean,
): Server | undefined {
  let found: Server | undefined;
  let lowest = Infinity;
  for (let step = 0; step < servers.length; step++) {
    const server = servers[(turn + step) % servers.length]!; // within bounds by the modulus
    if (tried?.has(server) || (onlyUsable && !server.isUsable(now))) continue;
    if (algorithm === "round_robin") return server;
    const rank = algorithm === "ip_hash" ? -affinity(server.hash, client) : server.busy;
    if (rank >= lowest) continue;
    found = server;
    lowest = rank;
  }
  return found;
}
