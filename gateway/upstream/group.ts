/**
 * The servers of one backend. This is where the request path hands a call over;
 * what comes back is the answer as the upstream gave it, or an `UpstreamFault`.
 */
import { clientHash } from "./address_hash.ts";
import { type BalanceAlgorithm, choose } from "./balance.ts";
import { Call, type UpstreamCall, type UpstreamResponse } from "./call.ts";
import { type DeadlineWatch, sharedWatch } from "../deadlines.ts";
import { UpstreamFault } from "./faults.ts";
import type { HealthCheckOptions } from "./health_check.ts";
import { type HostNames, sharedNames } from "./host_names.ts";
import type { UpstreamRequest } from "./request_head.ts";
import { UpstreamServer } from "./server.ts";
import type { ServerState } from "./server_state.ts";
import type { TlsOptions } from "./transport.ts";

export interface UpstreamGroupOptions {
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  readonly algorithm: BalanceAlgorithm;
  /** Null: plain HTTP. */
  readonly tls: TlsOptions | null;
  /** How long the addresses of a server's name hold, in ms. */
  readonly dnsMaxAge: number;
  /** Null: servers are not asked whether they are well. */
  readonly healthCheck: HealthCheckOptions | null;
  /** Called when the condition of a server is another than before. */
  readonly onCondition?: (state: ServerState) => void;
  /** How long an idle connection is kept, in ms; 60 s when absent. */
  readonly idleTimeout?: number;
  /** Idle connections kept for each server; 256 when absent. */
  readonly maxIdlePerServer?: number;
  readonly names?: HostNames;
  readonly watch?: DeadlineWatch;
}

const IDLE_TIMEOUT = 60_000;
const MAX_IDLE_PER_SERVER = 256;

export class UpstreamGroup {
  readonly #servers: readonly UpstreamServer[];
  readonly #algorithm: BalanceAlgorithm;
  readonly #watch: DeadlineWatch;
  #turn = 0;

  constructor(options: UpstreamGroupOptions) {
    const { watch = sharedWatch } = options;
    this.#algorithm = options.algorithm;
    this.#watch = watch;
    this.#servers = options.servers.map(({ host, port }) =>
      new UpstreamServer({
        host,
        port,
        tls: options.tls,
        idleLimit: options.idleTimeout ?? IDLE_TIMEOUT,
        maxIdle: options.maxIdlePerServer ?? MAX_IDLE_PER_SERVER,
        dnsMaxAge: options.dnsMaxAge,
        names: options.names ?? sharedNames,
        healthCheck: options.healthCheck,
        onCondition: options.onCondition,
        watch,
      })
    );
  }

  /**
   * Sends a call. `onEnd` is called once, when it is over in whatever way; that is
   * before `answer` resolves if the body arrived whole.
   *
   * @throws {TypeError} for a request that cannot be sent as it is.
   */
  send(request: UpstreamRequest, onEnd?: (call: UpstreamCall) => void): UpstreamCall {
    const call = new Call(request, onEnd);
    const { total } = request.timeouts;
    if (total !== null) call.limitTo(total, this.#watch);
    call.answer = this.#carry(call);
    return call;
  }

  /** How each of the servers stands, in their order. */
  state(): ServerState[] {
    return this.#servers.map(({ state }) => state);
  }

  /** Connections that wait for a call, to all servers. */
  get idleConnections(): number {
    return this.#servers.reduce((sum, server) => sum + server.idle, 0);
  }

  /**
   * Stops checking servers, closes idle connections, and the others as their calls end. A
   * call that still comes, from whoever has not heard of it yet, is carried all the same.
   */
  close(): void {
    for (const server of this.#servers) server.close();
  }

  async #carry(call: Call): Promise<UpstreamResponse> {
    try {
      return await this.#sendToOne(call);
    } catch (error) {
      call.end("aborted");
      throw error;
    }
  }

  /** A server that cannot be connected to is passed over, for any method: it was sent nothing. */
  async #sendToOne(call: Call): Promise<UpstreamResponse> {
    const turn = this.#turn++;
    const client = this.#algorithm === "ip_hash" ? clientHash(call.request.clientAddress) : 0;
    let tried: Set<UpstreamServer> | null = null;
    let refusal: unknown;
    for (;;) {
      const server = this.#choose(turn, client, tried);
      if (server === undefined) throw refusal ?? noServer();
      try {
        return await server.send(call);
      } catch (error) {
        if (!isUnreachable(error)) throw error;
        refusal = error;
        tried = (tried ?? new Set()).add(server);
      }
    }
  }

  #choose(
    turn: number,
    client: number,
    tried: ReadonlySet<UpstreamServer> | null,
  ): UpstreamServer | undefined {
    const { now } = this.#watch;
    return choose({ servers: this.#servers, algorithm: this.#algorithm, turn, client, tried, now });
  }
}

function isUnreachable(error: unknown): boolean {
  return error instanceof UpstreamFault && error.kind === "unreachable";
}

function noServer(): UpstreamFault {
  return new UpstreamFault("unreachable", "", "The backend has no server");
}
