/**
 * Whose calls are counted together, as a hash under the server's seed: a key holder,
 * or an address. A network of IPv6 counts as one address by its first 64 bits: the
 * smallest customer holds that many, and could otherwise call from a new one each time.
 */
import { type Hash, KeyedHash } from "./keyed_hash.ts";

const COLON = 0x3a;
/** Of an IPv6 address, 16 bits each. */
const GROUPS = 8;

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

/** The first four of an IPv6 address's eight groups. */
function readNetwork(address: string, groups: Uint16Array): void {
  groups.fill(0);
  let group = 0;
  for (let at = 0, place = 0; at <= address.length && place < groups.length; at++) {
    const unit = at < address.length ? address.charCodeAt(at) : COLON;
    if (unit !== COLON) {
      group = group << 4 | hexDigit(unit);
      continue;
    }
    groups[place++] = group;
    group = 0;
    if (address.charCodeAt(at + 1) === COLON) {
      at++;
      place = GROUPS - groupsFrom(address, at + 1);
    }
  }
}

/** Of the eight groups `::` leaves out as many as are missing; how many stand behind it. */
function groupsFrom(address: string, start: number): number {
  if (start === address.length) return 0;
  let count = 1;
  for (let at = start; at < address.length; at++) {
    if (address.charCodeAt(at) === COLON) count++;
  }
  return count;
}

function hexDigit(unit: number): number {
  return unit <= 0x39 ? unit - 0x30 : unit - 0x57; // "0" to "9", "a" to "f"
}
