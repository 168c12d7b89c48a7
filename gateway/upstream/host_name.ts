/**
 * The addresses of one host name, as the system's resolver gives them (hosts file,
 * search domains and all). It says nothing of how long they hold, so they are asked
 * for anew by age: while there are connections to them in the background, else
 * by the next call. The last good answer is kept through a failure.
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { DeadlineWatch, Waiting } from "../deadlines.ts";

/** Gives the addresses of a name, the preferred ones first. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** Who has connections to a host and wants to hear where it is now. */
export interface Follower {
  resolved(addresses: readonly string[]): void;
}

/** How soon a name that could not be resolved is tried again, in ms. */
const RETRY_AGE = 1000;
/** How long calls wait for a new answer when there is an old one, in ms. */
const PATIENCE = 1000;

export class HostName implements Waiting {
  /** What the name led to last; empty before an answer came. */
  addresses: readonly string[] = [];
  /** Why the last attempt to resolve the name failed; null when it did not. */
  failure: Error | null = null;

  readonly #hostname: string;
  readonly #maxAge: number;
  readonly #lookup: Lookup;
  readonly #watch: DeadlineWatch;
  readonly #followers = new Set<Follower>();
  /** When the addresses, or the failure, are to be asked for anew. */
  #staleAt = -Infinity;
  /** The look-up on its way: when it began, and who waits for it. */
  #pending: { readonly since: number; readonly done: PromiseWithResolvers<void> } | null = null;

  /** `hostname` may also be an address, without brackets; `maxAge` is in ms. */
  constructor(hostname: string, maxAge: number, lookup: Lookup, watch: DeadlineWatch) {
    this.#hostname = hostname;
    this.#maxAge = maxAge;
    this.#lookup = lookup;
    this.#watch = watch;
    if (isIP(hostname) !== 0) {
      this.addresses = [hostname];
      this.#staleAt = Infinity;
    }
  }

  /**
   * Addresses to connect to, at least one.
   *
   * @throws {Error} when the name has never led anywhere.
   */
  async resolve(): Promise<readonly string[]> {
    if (this.#watch.now() >= this.#staleAt) {
      this.#refresh();
      await this.#pending?.done.promise; // not for long, when there is an old answer
    }
    if (this.addresses.length > 0) return this.addresses;
    throw new Error(`the name cannot be resolved: ${this.failure?.message}`, {
      cause: this.failure,
    });
  }

  /** Keeps the addresses fresh until `unfollow`, and tells `follower` each answer. */
  follow(follower: Follower): void {
    if (this.#staleAt === Infinity) return;
    this.#followers.add(follower);
    this.#watch.add(this);
  }

  unfollow(follower: Follower): void {
    this.#followers.delete(follower);
    this.#rest();
  }

  expire(now: number): void {
    if (this.#pending === null) {
      if (now >= this.#staleAt) this.#refresh();
    } else if (now >= this.#pending.since + PATIENCE && this.addresses.length > 0) {
      this.#pending.done.resolve(); // the old answer will have to do
    }
  }

  #refresh(): void {
    if (this.#pending !== null) return;
    const done = Promise.withResolvers<void>();
    this.#pending = { since: this.#watch.now(), done };
    this.#watch.add(this);
    this.#lookup(this.#hostname).then(
      (addresses) => this.#answered(addresses),
      (error) => this.#failed(error),
    ).finally(() => {
      this.#pending = null;
      this.#rest();
      done.resolve();
    });
  }

  #answered(addresses: readonly string[]): void {
    if (addresses.length === 0) return this.#failed(new Error("the name has no address"));
    this.failure = null;
    this.#staleAt = this.#watch.now() + this.#maxAge;
    this.addresses = addresses;
    for (const follower of this.#followers) follower.resolved(addresses);
  }

  #failed(error: unknown): void {
    this.failure = error instanceof Error ? error : new Error(String(error));
    this.#staleAt = this.#watch.now() + Math.min(RETRY_AGE, this.#maxAge);
  }

  #rest(): void {
    if (this.#followers.size === 0 && this.#pending === null) this.#watch.delete(this);
  }
}

/** The system's resolver: what `ping` would find. */
export async function systemLookup(hostname: string): Promise<string[]> {
  const answers = await lookup(hostname, { all: true });
  return [...new Set(answers.map(({ address }) => address))];
}
