/**
 * A running server: sockets open, calls decided under the live version. What
 * changes while it runs (a publish, a reload) comes in here and is swapped whole.
 */
import { compileConfiguration } from "../compile/configuration.ts";
import { UpstreamPools } from "../compile/upstream_pools.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Portico } from "../portico.ts";
import type { Certificate } from "../process/certificates.ts";
import { drain } from "./drain.ts";
import { Gateway, type WebHandler } from "./gateway.ts";
import { type Listener, openListeners } from "./listeners.ts";
import { publicUrls } from "./public_urls.ts";

export class Server {
  readonly #pools = new UpstreamPools();
  readonly #gateway: Gateway;
  #portico: Portico;
  #listeners: readonly Listener[] = [];

  constructor(portico: Portico, web: WebHandler) {
    this.#portico = portico;
    this.#gateway = new Gateway(portico, web, this.#compiled());
    portico.publishing.subscribe(() => this.#recompile());
  }

  /** Opens the sockets. Throws a `ListenError` that names the one that could not be. */
  async listen(certificate: Certificate | null): Promise<void> {
    const { listen, http_port, https_port } = this.#portico.config;
    const https = https_port === null || certificate === null
      ? null
      : { port: https_port, certificate };
    this.#listeners = await openListeners(
      { addresses: listen.addresses, httpPort: http_port, https, log: this.#portico.log },
      (request, info, scheme) => this.#gateway.handle(request, info, scheme),
    );
  }

  get config(): Configuration {
    return this.#portico.config;
  }

  get urls(): string[] {
    return publicUrls(this.#listeners);
  }

  /** Takes over a configuration that was read again. */
  async reconfigure(config: Configuration): Promise<void> {
    this.#portico = await this.#portico.configured(config);
    this.#recompile();
  }

  /** Finishes what is in flight, `drain_seconds` at most. Resolves with whether all was. */
  async stop(): Promise<boolean> {
    this.#gateway.drain();
    const finished = await drain(this.#listeners, this.#portico.config.drain_seconds);
    this.#pools.close();
    return finished;
  }

  #recompile(): void {
    this.#gateway.use(this.#portico, this.#compiled());
  }

  #compiled() {
    const { config, publishing } = this.#portico;
    return this.#pools.during((groupOf) => compileConfiguration(config, publishing.live, groupOf));
  }
}
