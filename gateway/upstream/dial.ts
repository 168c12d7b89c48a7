/**
 * Connects to a server: its name resolved, TCP to one of its addresses, TLS on top
 * of it. The whole takes `connectLimit` ms at most and can be given up at any moment.
 */
import type { Addresses } from "./addresses.ts";
import type { Carrier } from "./call.ts";
import type { DeadlineWatch, Waiting } from "../deadlines.ts";
import { UpstreamFault } from "./faults.ts";
import { Race, type Winner } from "./race.ts";
import type { Link, Transport } from "./transport.ts";
import type { Socket } from "./wire.ts";

export interface DialOptions {
  /** `host:port`, for faults. */
  readonly name: string;
  readonly addresses: Addresses;
  readonly port: number;
  readonly transport: Transport;
  /** Longest time to connect, the TLS handshake included, in ms. */
  readonly connectLimit: number;
  readonly watch: DeadlineWatch;
}

/** A socket, ready for bytes, and the address it leads to. */
export interface Dialled {
  readonly socket: Socket;
  readonly address: string;
}

/** One attempt to connect. */
export class Dial implements Carrier, Waiting {
  readonly #options: DialOptions;
  readonly #deadline: number;
  /** Aborts with the fault that `abort` was given. */
  readonly #attempt = new AbortController();

  constructor(options: DialOptions) {
    this.#options = options;
    this.#deadline = options.watch.now() + options.connectLimit;
  }

  /**
   * The connection. To be called once.
   *
   * @throws {UpstreamFault} `unreachable`, `timeout`, or what `abort` was given.
   */
  async open(): Promise<Dialled> {
    const { watch, name, addresses } = this.#options;
    const { signal } = this.#attempt;
    watch.add(this);
    try {
      const { link, address } = await this.#connect(
        await unlessAborted(addresses.inOrder(), signal),
      );
      return { socket: await this.#ready(link, address), address };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw new UpstreamFault("unreachable", name, unreachable(error), error);
    } finally {
      watch.delete(this);
    }
  }

  abort(fault: UpstreamFault): void {
    this.#attempt.abort(fault);
  }

  expire(now: number): void {
    if (now < this.#deadline) return;
    const { name, connectLimit } = this.#options;
    const message = `did not accept a connection within ${connectLimit / 1000} s`;
    this.abort(new UpstreamFault("timeout", name, message));
  }

  #connect(order: readonly string[]): Promise<Winner> {
    const { transport, port, watch, addresses } = this.#options;
    const { signal } = this.#attempt;
    signal.throwIfAborted();
    const race = new Race({
      addresses: order,
      connect: (address, signal) => transport.connect(address, port, signal),
      onRefused: (address) => addresses.refused(address),
      watch,
    });
    signal.addEventListener("abort", () => race.abort(signal.reason), { once: true });
    return race.run();
  }

  async #ready(link: Link, address: string): Promise<Socket> {
    const { signal } = this.#attempt;
    if (signal.aborted) {
      link.close();
      throw signal.reason;
    }
    try {
      const socket = await link.ready(signal);
      if (!signal.aborted) return socket;
      socket.close();
      throw signal.reason;
    } catch (error) {
      if (!signal.aborted) this.#options.addresses.refused(address);
      throw error;
    }
  }
}

/** What `promise` gives; rejects at once when `signal` aborts. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}

function unreachable(error: unknown): string {
  return `cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
}
