/**
 * In which order a server's addresses are tried: connections are spread over those
 * that the resolver prefers, and one that refused comes last until the name is
 * resolved anew.
 */
import { isIP } from "node:net";
import type { HostName } from "./host_name.ts";

export class Addresses {
  readonly #name: HostName;
  #turn = 0;
  /** The answer that `#refused` belongs to. */
  #answer: readonly string[] = [];
  #refused = new Set<string>();

  constructor(name: HostName) {
    this.#name = name;
  }

  /**
   * Addresses for a new connection, the first one to be tried first.
   *
   * @throws {Error} when the name leads nowhere.
   */
  async inOrder(): Promise<readonly string[]> {
    const answer = await this.#name.resolve();
    if (answer !== this.#answer) {
      this.#answer = answer;
      this.#refused.clear();
    }
    return answer.length === 1 ? answer : this.#ordered(answer, this.#turn++);
  }

  /** No connection could be made to `address`. */
  refused(address: string): void {
    this.#refused.add(address);
  }

  /** The resolver puts the family first that this machine reaches better (RFC 6724). */
  #ordered(answer: readonly string[], turn: number): readonly string[] {
    const family = isIP(answer[0]!); // there is one at least
    const preferred = answer.filter((address) => isIP(address) === family);
    const first = turn % preferred.length;
    return [
      ...preferred.slice(first),
      ...preferred.slice(0, first),
      ...answer.filter((address) => isIP(address) !== family),
    ].toSorted((a, b) => Number(this.#refused.has(a)) - Number(this.#refused.has(b)));
  }
}
