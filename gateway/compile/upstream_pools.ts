/**
 * The upstream groups in use. A publish that leaves a backend's servers alone
 * keeps its group, and with it the warm connections and what is known of each
 * server's health; groups nobody uses any more are closed.
 */
import { UpstreamGroup } from "../upstream/group.ts";
import type { UpstreamSpec } from "./configuration.ts";

export class UpstreamPools {
  #groups = new Map<string, UpstreamGroup>();

  /**
   * Runs `compile` with a function that gives the group of each backend; groups
   * that it did not ask for are closed afterwards. If it throws, nothing changes.
   */
  during<T>(compile: (groupOf: (id: string, spec: UpstreamSpec) => UpstreamGroup) => T): T {
    const next = new Map<string, UpstreamGroup>();
    const result = compile((id, spec) => {
      const name = `${id} ${JSON.stringify(spec)}`;
      const group = next.get(name) ?? this.#groups.get(name) ?? new UpstreamGroup(spec);
      next.set(name, group);
      return group;
    });
    const dropped = [...this.#groups].filter(([name]) => !next.has(name));
    this.#groups = next;
    for (const [, group] of dropped) group.close();
    return result;
  }

  /** Closes every group; calls in flight are carried to their end. */
  close(): void {
    this.during(() => {});
  }
}
