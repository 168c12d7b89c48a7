/**
 * The host names that servers of this isolate go by, each resolved once for all of
 * them.
 */
import { type DeadlineWatch, sharedWatch } from "../deadlines.ts";
import { HostName, type Lookup, systemLookup } from "./host_name.ts";

export class HostNames {
  readonly #lookup: Lookup;
  readonly #watch: DeadlineWatch;
  readonly #names = new Map<string, { readonly name: HostName; users: number }>();

  constructor(lookup: Lookup = systemLookup, watch: DeadlineWatch = sharedWatch) {
    this.#lookup = lookup;
    this.#watch = watch;
  }

  /** The name, until `release` is called as often; `maxAge` of its addresses is in ms. */
  acquire(hostname: string, maxAge: number): HostName {
    const key = keyOf(hostname, maxAge);
    let entry = this.#names.get(key);
    if (entry === undefined) {
      entry = { name: new HostName(hostname, maxAge, this.#lookup, this.#watch), users: 0 };
      this.#names.set(key, entry);
    }
    entry.users++;
    return entry.name;
  }

  release(hostname: string, maxAge: number): void {
    const key = keyOf(hostname, maxAge);
    const entry = this.#names.get(key);
    if (entry !== undefined && --entry.users === 0) this.#names.delete(key);
  }
}

function keyOf(hostname: string, maxAge: number): string {
  return `${hostname.toLowerCase()} ${maxAge}`;
}

/** The names that all upstream groups of this isolate share. */
export const sharedNames: HostNames = new HostNames();
