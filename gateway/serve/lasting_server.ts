/**
 * A server that outlives its listening socket. `Deno.serve` ends for good when it cannot
 * accept a connection, which anybody can bring about who opens as many as the process may
 * have files. What is in flight goes on; here a new socket takes the place of the old one.
 */
export type HttpServer = Deno.HttpServer<Deno.NetAddr>;

/** Milliseconds until a socket is opened again: some connections will have ended by then. */
const REOPEN_AFTER = 100;

export interface LastingServerOptions {
  /** Opens the socket and serves; throws when it cannot be opened. */
  readonly open: (port: number) => HttpServer;
  /** 0: any, and from then on that one. */
  readonly port: number;
  /** Told each time that the socket has failed or could not be opened again. */
  readonly onFailure: (error: unknown) => void;
  readonly reopenAfter?: number;
}

export class LastingServer {
  readonly address: Deno.NetAddr;
  readonly #options: LastingServerOptions;
  #server: HttpServer;
  #reopening: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  /** Throws what `open` throws, the first time. */
  constructor(options: LastingServerOptions) {
    this.#options = options;
    this.#server = this.#watched(options.open(options.port));
    this.address = this.#server.addr;
  }

  /** Accepts nothing more; resolves when every call in flight is answered. */
  async shutdown(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#reopening);
    await this.#server.shutdown().catch(() => {}); // one that has failed has been told of
  }

  #watched(server: HttpServer): HttpServer {
    server.finished.catch((error) => this.#failed(error));
    return server;
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return;
    this.#options.onFailure(error);
    this.#reopening = setTimeout(
      () => this.#reopen(),
      this.#options.reopenAfter ?? REOPEN_AFTER,
    );
  }

  #reopen(): void {
    try {
      this.#server = this.#watched(this.#options.open(this.address.port));
    } catch (error) {
      this.#failed(error);
    }
  }
}
