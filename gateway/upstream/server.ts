/**
 * One server of a backend: its connections, how busy it is, how it fares.
 */
import { hash32 } from "../hash32.ts";
import { Addresses } from "./addresses.ts";
import type { Call, UpstreamResponse } from "./call.ts";
import { Connection, type ConnectionOwner } from "./connection.ts";
import type { DeadlineWatch } from "../deadlines.ts";
import { Dial } from "./dial.ts";
import { UpstreamFault } from "./faults.ts";
import { Health } from "./health.ts";
import { HealthCheck, type HealthCheckOptions } from "./health_check.ts";
import type { Follower, HostName } from "./host_name.ts";
import type { HostNames } from "./host_names.ts";
import type { ServerState } from "./server_state.ts";
import { type TlsOptions, type Transport, transportTo } from "./transport.ts";

export interface ServerOptions {
  /** A name, an IPv4 literal, or an IPv6 literal with or without brackets. */
  readonly host: string;
  readonly port: number;
  /** Null: plain HTTP. */
  readonly tls: TlsOptions | null;
  /** Longest time that a connection is kept without a call, in ms. */
  readonly idleLimit: number;
  /** Idle connections that are kept at most. */
  readonly maxIdle: number;
  /** How long the addresses of a name hold, in ms. */
  readonly dnsMaxAge: number;
  readonly names: HostNames;
  /** Null: no checks. */
  readonly healthCheck: HealthCheckOptions | null;
  /** Called when the server's condition is another than before. */
  readonly onCondition: ((state: ServerState) => void) | undefined;
  readonly watch: DeadlineWatch;
}

export class UpstreamServer implements ConnectionOwner, Follower {
  readonly name: string;
  /** Stands for the server where one is chosen by the client's address. */
  readonly hash: number;
  readonly idleLimit: number;
  readonly watch: DeadlineWatch;
  readonly #health = new Health(() => this.#tell());
  readonly #options: ServerOptions;
  readonly #hostname: string;
  readonly #hostName: HostName;
  readonly #addresses: Addresses;
  readonly #transport: Transport;
  readonly #check: HealthCheck | null;
  readonly #open = new Set<Connection>();
  /** The one used last at the end: it is the least likely to have been closed. */
  readonly #idle: Connection[] = [];
  #busy = 0;
  #toldCondition: ServerState["condition"] = "up";
  #isClosed = false;

  constructor(options: ServerOptions) {
    const { host, port, tls, names, dnsMaxAge } = options;
    this.#hostname = host.startsWith("[") ? host.slice(1, -1) : host;
    this.name = this.#hostname.includes(":") ? `[${this.#hostname}]:${port}` : `${host}:${port}`;
    this.hash = hash32(this.name);
    this.idleLimit = options.idleLimit;
    this.watch = options.watch;
    this.#options = options;
    this.#hostName = names.acquire(this.#hostname, dnsMaxAge);
    this.#addresses = new Addresses(this.#hostName);
    this.#transport = transportTo(this.#hostname, tls);
    this.#check = options.healthCheck &&
      new HealthCheck(this, options.healthCheck, () => this.#tell());
  }

  /** Calls that are being carried, or wait for a connection. */
  get busy(): number {
    return this.#busy;
  }

  /** Whether calls may go to the server; `now` gives ms. */
  isUsable(now: () => number): boolean {
    return this.#check?.isHealthy !== false && this.#health.isUsable(now);
  }

  /** Connections that wait for a call. */
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
    this.#health.attempted();
    this.#busy++;
    const kept = this.#idle.pop();
    try {
      let answer = kept === undefined ? null : await kept.exchange(call);
      if (answer === null) {
        if (kept !== undefined) this.#busy++; // `released` has counted it off
        answer = await this.#sendOnNew(call);
      }
      this.#health.answered();
      return answer;
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  released(connection: Connection, reusable: boolean): void {
    this.#busy--;
    if (!reusable) this.#forget(connection);
    else if (this.#isClosed || this.#idle.length >= this.#options.maxIdle) connection.retire();
    else this.#idle.push(connection);
  }

  lost(connection: Connection): void {
    const index = this.#idle.indexOf(connection);
    if (index !== -1) this.#idle.splice(index, 1);
    this.#forget(connection);
  }

  /** Connections to where the server was before take no more calls. */
  resolved(addresses: readonly string[]): void {
    for (const connection of this.#open) {
      if (!addresses.includes(connection.address)) connection.retire();
    }
  }

  /** Closes what is idle; connections that carry a call close when it is over. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#check?.stop();
    this.#options.names.release(this.#hostname, this.#options.dnsMaxAge);
    for (const connection of [...this.#idle]) connection.retire();
  }

  /** How the server stands now. */
  get state(): ServerState {
    const { lastFailure, leftOutUntil, failures } = this.#health;
    return {
      name: this.name,
      addresses: [...this.#hostName.addresses],
      dns_failure: this.#hostName.failure?.message ?? null,
      busy: this.#busy,
      idle: this.#idle.length,
      condition: this.#condition,
      failures,
      left_out_until: leftOutUntil === null ? null : this.#timeOfDay(leftOutUntil),
      last_failure: lastFailure,
      last_check: this.#check?.last ?? null,
    };
  }

  get #condition(): ServerState["condition"] {
    if (this.#check?.isHealthy === false) return "unhealthy";
    return this.#health.failures > 0 ? "left_out" : "up";
  }

  #tell(): void {
    const condition = this.#condition;
    if (condition === this.#toldCondition) return;
    this.#toldCondition = condition;
    this.#options.onCondition?.(this.state);
  }

  /** ISO 8601, of a time in ms of the watch's clock. */
  #timeOfDay(at: number): string {
    return new Date(Date.now() + at - this.watch.now()).toISOString();
  }

  async #sendOnNew(call: Call): Promise<UpstreamResponse> {
    const answer = await (await this.#connect(call)).exchange(call);
    if (answer === null) throw new Error("a new connection cannot be a stale one");
    return answer;
  }

  async #connect(call: Call): Promise<Connection> {
    const { port, watch, tls } = this.#options;
    const dial = new Dial({
      name: this.name,
      addresses: this.#addresses,
      port,
      transport: this.#transport,
      connectLimit: call.request.timeouts.connect,
      watch,
    });
    try {
      call.carriedBy(dial);
      call.watchClient();
      const connection = new Connection(await dial.open(), tls === null, this);
      this.#health.connected();
      this.#remember(connection);
      return connection;
    } catch (error) {
      this.#busy--;
      // Otherwise it was given up by the client, or by the call's own limit.
      if (call.outcome === "running") this.#health.refused(watch.now(), error);
      throw error;
    }
  }

  #failed(error: unknown): void {
    const isUnanswered = error instanceof UpstreamFault && error.kind === "invalid_response";
    if (isUnanswered) this.#health.unanswered(this.watch.now(), error);
    else this.#health.undecided();
  }

  #remember(connection: Connection): void {
    if (this.#open.size === 0) this.#hostName.follow(this);
    this.#open.add(connection);
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection);
    if (this.#open.size === 0) this.#hostName.unfollow(this);
  }
}
