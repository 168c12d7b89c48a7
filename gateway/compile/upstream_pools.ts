/**
 * The upstream groups in use. A publish that leaves a backend's servers alone
 * keeps its group, and with it the warm connections and what is known of each
 * server's health; groups nobody uses any more are closed.
 */
import type { Logger } from "../process/logger.ts";
import { UpstreamGroup } from "../upstream/group.ts";
import type { ServerState } from "../upstream/server_state.ts";
import type { UpstreamSpec } from "./upstream_spec.ts";

interface Pool {
  readonly backend: string;
  readonly group: UpstreamGroup;
}

export class UpstreamPools {
  readonly #log: Logger;
  /** By backend and everything that its connections depend on. */
  #pools = new Map<string, Pool>();

  constructor(log: Logger) {
    this.#log = log;
  }

  /**
   * Runs `compile` with a function that gives the group of each backend; groups
   * that it did not ask for are closed afterwards. If it throws, nothing changes.
   */
  during<T>(compile: (groupOf: (backend: string, spec: UpstreamSpec) => UpstreamGroup) => T): T {
    const next = new Map<string, Pool>();
    const result = compile((backend, spec) => {
      const key = `${backend} ${JSON.stringify(spec)}`;
      const pool = next.get(key) ?? this.#pools.get(key) ?? this.#pool(backend, spec);
      next.set(key, pool);
      return pool.group;
    });
    const dropped = [...this.#pools].filter(([key]) => !next.has(key));
    this.#pools = next;
    for (const [, { group }] of dropped) group.close();
    return result;
  }

  #pool(backend: string, spec: UpstreamSpec): Pool {
    const onCondition = (state: ServerState) => this.#note(backend, state);
    return { backend, group: new UpstreamGroup({ ...spec, onCondition }) };
  }

  #note(backend: string, { name, condition, last_failure, last_check }: ServerState): void {
    const server = { backend, server: name };
    if (condition === "up") this.#log.info("a server is back", server);
    else if (condition === "left_out") {
      this.#log.warn("a server is left out", { ...server, reason: last_failure?.message });
    } else this.#log.warn("a server is unhealthy", { ...server, reason: last_check?.message });
  }

  /** How the servers of those of these backends stand that are live. */
  serverStates(backends: readonly string[]): Map<string, ServerState[]> {
    const wanted = new Set(backends);
    const pools = [...this.#pools.values()].filter(({ backend }) => wanted.has(backend));
    return new Map(
      [...Map.groupBy(pools, ({ backend }) => backend)]
        .map(([backend, pools]) => [backend, pools.flatMap(({ group }) => group.state())]),
    );
  }

  /** Closes every group; calls in flight are carried to their end. */
  close(): void {
    this.during(() => {});
  }
}
