/**
 * Whose calls are counted together, as a hash under the server's seed: a key holder,
 * or an address. A network of IPv6 counts as one address: whoever has it could
 * otherwise call from a new one each time.
 */
import { readNetwork } from "../exchange/ipv6_network.ts";
import { type Hash, KeyedHash } from "./keyed_hash.ts";

export class Subjects {
  readonly #hash: KeyedHash;
  readonly #network = new Int32Array(2);
  readonly #groups = new Uint16Array(4);

  /** The same seed gives the same hashes, in every isolate. */
  constructor(seed: Hash) {
    this.#hash = new KeyedHash(seed);
  }

  keyHolder(id: string): Hash {
    return this.#hash.ofText(id);
  }

  /** Takes an address as an exchange has it: IPv6 in lower case, in its shortest form. */
  address(address: string): Hash {
    if (!address.includes(":")) return this.#hash.ofText(address);
    readNetwork(address, this.#groups);
    const [first = 0, second = 0, third = 0, fourth = 0] = this.#groups;
    this.#network[0] = first << 16 | second;
    this.#network[1] = third << 16 | fourth;
    return this.#hash.ofWords(this.#network);
  }
}
