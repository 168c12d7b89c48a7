/**
 * One server of a backend: its idle connections, how busy it is, how it fares.
 */
import type { Call, UpstreamResponse } from "./call.ts";
import { Connection, type ConnectionLimits, type ConnectionOwner } from "./connection.ts";
import type { DeadlineWatch } from "./deadlines.ts";
import { Dial, type UpstreamTarget } from "./dial.ts";
import { UpstreamFault } from "./faults.ts";
import { Health } from "./health.ts";

export interface ServerOptions {
  readonly target: UpstreamTarget;
  readonly limits: ConnectionLimits;
  /** Longest time to connect, in ms. */
  readonly connectLimit: number;
  /** Idle connections that are kept at most. */
  readonly maxIdle: number;
  readonly caCerts: readonly string[];
  readonly watch: DeadlineWatch;
}

export class UpstreamServer implements ConnectionOwner {
  readonly name: string;
  readonly limits: ConnectionLimits;
  readonly watch: DeadlineWatch;
  readonly health = new Health();
  readonly #options: ServerOptions;
  /** The one used last at the end: it is the least likely to have been closed. */
  readonly #idle: Connection[] = [];
  #busy = 0;
  #isClosed = false;

  constructor(options: ServerOptions) {
    const { hostname, port } = options.target;
    const isBareIpv6 = hostname.includes(":") && !hostname.startsWith("[");
    this.name = isBareIpv6 ? `[${hostname}]:${port}` : `${hostname}:${port}`;
    this.limits = options.limits;
    this.watch = options.watch;
    this.#options = options;
  }

  /** Calls that are being carried, or wait for a connection. */
  get busy(): number {
    return this.#busy;
  }

  get idle(): number {
    return this.#idle.length;
  }

  /**
   * Carries a call on an idle connection or a new one. An idle one that turns out
   * to have ended leads to a new one, once.
   *
   * @throws {UpstreamFault} `unreachable` if nothing of the call was sent.
   */
  async send(call: Call): Promise<UpstreamResponse> {
    call.server = this.name;
    this.#busy++;
    const kept = this.#idle.pop();
    if (kept !== undefined) {
      const answer = await kept.exchange(call);
      if (answer !== null) return answer;
      this.#busy++;
    }
    const answer = await (await this.#connect(call)).exchange(call);
    if (answer === null) throw new Error("a new connection cannot be a stale one");
    return answer;
  }

  released(connection: Connection, reusable: boolean): void {
    this.#busy--;
    if (!reusable) return;
    if (this.#isClosed || this.#idle.length >= this.#options.maxIdle) connection.close();
    else this.#idle.push(connection);
  }

  lost(connection: Connection): void {
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
  }

  /** Closes what is idle; connections that carry a call close when it is over. */
  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }

  async #connect(call: Call): Promise<Connection> {
    const { target, connectLimit, caCerts, watch } = this.#options;
    const dial = new Dial({ target, name: this.name, connectLimit, caCerts, watch });
    this.health.attempted();
    try {
      call.carriedBy(dial);
      const socket = await dial.open();
      this.health.succeeded();
      return new Connection(socket, target.protocol === "http", this);
    } catch (error) {
      this.#busy--;
      if (isClients(error)) this.health.undecided();
      else this.health.failed(watch.now());
      throw error;
    }
  }
}

/** Whether an attempt ended because the client left. */
function isClients(error: unknown): boolean {
  return error instanceof UpstreamFault && error.kind === "client_aborted";
}
