/**
 * How the servers of live backends fare. Those know who call them, the isolates that
 * serve: each is asked anew, and what they say is put together.
 */
import { mergeServerStates, type ServerHealth, type ServerState } from "./server_state.ts";

/** What one isolate knows, by backend (`backendKey`). */
export type StatesByBackend = ReadonlyMap<string, readonly ServerState[]>;

export class HealthReports {
  #collect: (backends: readonly string[]) => Promise<readonly StatesByBackend[]> = () =>
    Promise.resolve([]);

  /** `collect` asks the isolates; one that does not answer is left out. */
  feedFrom(collect: (backends: readonly string[]) => Promise<readonly StatesByBackend[]>): void {
    this.#collect = collect;
  }

  /** The servers of each of these backends (`backendKey`); none of one that is not live. */
  async of(backends: readonly string[]): Promise<ReadonlyMap<string, readonly ServerHealth[]>> {
    const isolates = await this.#collect(backends);
    return new Map(backends.map((backend) => {
      const states = isolates.map((isolate) => isolate.get(backend) ?? []);
      return [backend, mergeServerStates(states)] as const;
    }));
  }

  /** The servers of one backend. */
  async ofOne(backend: string): Promise<readonly ServerHealth[]> {
    return (await this.of([backend])).get(backend) ?? [];
  }
}
