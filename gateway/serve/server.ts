/**
 * What one isolate serves with: sockets open, connections to backends, calls decided
 * under the live version. What changes while it runs (a publish, a reload) comes in
 * here and is swapped whole.
 */
import { compileConfiguration } from "../compile/configuration.ts";
import { UpstreamPools } from "../compile/upstream_pools.ts";
import type { Configuration } from "../config/configuration.ts";
import type { HttpsCertificates } from "../process/certificates.ts";
import type { LiveVersion } from "../publish/publishing.ts";
import { openFiles } from "../process/open_files.ts";
import type { StatesByBackend } from "../upstream/health_reports.ts";
import { ConnectionCap } from "./connection_cap.ts";
import { drain, type DrainOrder } from "./drain.ts";
import { Gateway, type GatewayParts } from "./gateway.ts";
import { isolateCount } from "./isolate_count.ts";
import { type Address, type Listener, openListeners, type Ports } from "./listeners.ts";
import { WebSocketMemory } from "./websocket_memory.ts";

/** How long starting another isolate takes at most, in ms. */
const REPLACEMENT_TIME = 10_000;

export class Server {
  readonly #pools: UpstreamPools;
  readonly #parts: GatewayParts;
  readonly #gateway: Gateway;
  #config: Configuration;
  #live: LiveVersion | null;
  #listeners: readonly Listener[] = [];
  readonly #connections: ConnectionCap;
  readonly #webSocketMemory: WebSocketMemory;

  constructor(parts: GatewayParts, config: Configuration, live: LiveVersion | null) {
    this.#parts = parts;
    this.#pools = new UpstreamPools(parts.log);
    this.#config = config;
    this.#live = live;
    this.#gateway = new Gateway(parts, config, this.#compiled());
    this.#connections = new ConnectionCap({
      limit: () => this.#config.client.max_idle_connections,
      openFiles,
      calls: () => this.#gateway.calls * isolateCount(this.#config),
      shed: () => this.#shed(),
      replace: parts.replace,
      replacementTime: () => this.#config.drain_seconds * 1000 + REPLACEMENT_TIME,
      log: parts.log,
    });
    this.#webSocketMemory = new WebSocketMemory({
      open: () => this.#gateway.webSockets.count,
      limit: () => this.#config.client.websocket_memory_max_bytes,
      shed: () => this.#shed(0),
      log: parts.log,
    });
  }

  /**
   * Opens the sockets; other isolates may have the same ones.
   * Throws a `ListenError` that names the one that could not be opened.
   */
  async listen(
    ports: Ports,
    certificates: HttpsCertificates | null,
  ): Promise<readonly Address[]> {
    const https = ports.https === null || certificates === null
      ? null
      : { port: ports.https, certificates };
    this.#listeners = await openListeners(
      {
        addresses: this.#config.listen.addresses,
        httpPort: ports.http,
        https,
        shed: () => this.#shed(),
        log: this.#parts.log,
      },
      (request, info, scheme) => this.#gateway.handle(request, info, scheme),
    );
    this.#connections.start();
    this.#webSocketMemory.start();
    return this.#listeners.map(({ scheme, address: { hostname, port } }) => (
      { scheme, hostname, port }
    ));
  }

  /** Calls that come from now on are decided by these. */
  use(config: Configuration | undefined, live: LiveVersion | null | undefined): void {
    if (config !== undefined) this.#config = config;
    if (live !== undefined) this.#live = live;
    this.#gateway.use(this.#config, this.#compiled());
  }

  /** How the servers of those of these backends (`backendKey`) stand that are live. */
  serverStates(backends: readonly string[]): StatesByBackend {
    return this.#pools.serverStates(backends);
  }

  /** Finishes what is in flight. Resolves with whether all was in time. */
  async stop({ seconds, serverStops }: DrainOrder): Promise<boolean> {
    this.#connections.stop();
    this.#webSocketMemory.stop();
    this.#gateway.drain(serverStops);
    const finished = await drain(this.#listeners, seconds);
    this.#pools.close();
    return finished;
  }

  /** Closes what carries no call, and WebSockets: the server does not spare them. */
  async #shed(bodiesPatience?: number): Promise<void> {
    this.#gateway.webSockets.closeOpen({ code: 1001, reason: "Connections are shed" });
    await Promise.all(this.#listeners.map(({ server }) => server.shed(bodiesPatience)));
  }

  #compiled() {
    return this.#pools.during((groupOf) => compileConfiguration(this.#config, this.#live, groupOf));
  }
}
