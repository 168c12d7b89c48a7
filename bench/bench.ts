/** One run of the bench: the machine, a scratch folder, and everything that has to be ended. */
import { join } from "node:path";
import { lookAtMachine, type Machine } from "./machine.ts";

export class Bench implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();

  private constructor(readonly machine: Machine, readonly folder: string) {
    this.#stack.defer(() => Deno.remove(folder, { recursive: true }));
  }

  static async open(): Promise<Bench> {
    return new Bench(await lookAtMachine(), await Deno.makeTempDir({ prefix: "portico-bench-" }));
  }

  /** Ends `server` with the bench. */
  owns<T extends AsyncDisposable>(server: T): T {
    return this.#stack.use(server);
  }

  /** A path in the scratch folder. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** Ends every server, the latest first, and removes the scratch folder. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}
