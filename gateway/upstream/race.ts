/**
 * Connects to whichever of several addresses takes the connection first: the next
 * one is tried when one fails, or has said nothing for a while (as RFC 8305 does),
 * so that a dead address costs a moment and not the whole time-out.
 */
import type { DeadlineWatch, Waiting } from "../deadlines.ts";
import type { Link } from "./transport.ts";

/** How long one address is alone before the next is tried too, in ms (RFC 8305 §5). */
const STAGGER = 250;

export interface RaceOptions {
  /** Tried in this order; there must be one at least. */
  readonly addresses: readonly string[];
  readonly connect: (address: string, signal: AbortSignal) => Promise<Link>;
  /** No connection could be made to `address`. */
  readonly onRefused: (address: string) => void;
  readonly watch: DeadlineWatch;
}

export interface Winner {
  readonly link: Link;
  readonly address: string;
}

export class Race implements Waiting {
  readonly #options: RaceOptions;
  readonly #connecting = new AbortController();
  readonly #result = Promise.withResolvers<Winner>();
  #isOver = false;
  #started = 0;
  #failed = 0;
  #nextAt = 0;

  constructor(options: RaceOptions) {
    this.#options = options;
  }

  /** The first connection; rejects as the last address does when none takes one. */
  run(): Promise<Winner> {
    if (this.#options.addresses.length > 1) this.#options.watch.add(this);
    this.#startNext();
    return this.#result.promise;
  }

  /** Gives up: `run` rejects with `reason`. */
  abort(reason: unknown): void {
    if (!this.#end()) return;
    this.#result.reject(reason);
  }

  expire(now: number): void {
    if (now >= this.#nextAt) this.#startNext();
  }

  #startNext(): void {
    const address = this.#options.addresses[this.#started];
    if (address === undefined) return;
    this.#started++;
    this.#nextAt = this.#options.watch.now() + STAGGER;
    this.#options.connect(address, this.#connecting.signal).then(
      (link) => this.#connected(link, address),
      (error) => this.#refused(error, address),
    );
  }

  #connected(link: Link, address: string): void {
    if (this.#end()) this.#result.resolve({ link, address });
    else link.close();
  }

  #refused(error: unknown, address: string): void {
    if (this.#isOver) return;
    this.#options.onRefused(address);
    if (++this.#failed < this.#options.addresses.length) return this.#startNext();
    this.#end();
    this.#result.reject(error);
  }

  /** Stops all other attempts; false if that was done before. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#options.watch.delete(this);
    this.#connecting.abort();
    return true;
  }
}
