/** A resolver for tests that gives what it is told, with time that passes when told. */
import { DeadlineWatch } from "../../deadlines.ts";
import { HostNames } from "../host_names.ts";

export class FakeResolver {
  #now = 1000;
  /** How often it was asked. */
  asked = 0;
  /** What it gives: addresses, a failure, or nothing yet. */
  answer: readonly string[] | Error | Promise<readonly string[]>;
  readonly watch = new DeadlineWatch({ clock: () => this.#now });
  readonly names = new HostNames(() => this.#lookUp(), this.watch);

  constructor(answer: FakeResolver["answer"]) {
    this.answer = answer;
  }

  /** Lets `ms` pass. */
  pass(ms: number): void {
    this.#now += ms;
    this.watch.sweep();
  }

  async #lookUp(): Promise<readonly string[]> {
    this.asked++;
    const answer = await this.answer;
    if (answer instanceof Error) throw answer;
    return answer;
  }
}
