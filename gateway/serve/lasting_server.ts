/**
 * A server that outlives its listening socket, and can shed connections.
 *
 * `Deno.serve` has no time-outs and no limit of connections, and does not say how many
 * there are. It ends for good when it cannot accept one, which anybody can bring about
 * who opens as many as the process may have files; those stay open, and keep whoever
 * comes next from being served. What helps is `shutdown`: it closes at once every
 * connection that carries no call (idle, silent, or with part of a head) and lets the
 * calls in flight finish. So the server is shut down, and another one takes its place
 * on the same port, which a shared port (SO_REUSEPORT) allows even before.
 *
 * That is not for every day: what is about to be accepted in that moment is reset. With
 * 22,000 new connections a second those are 10 to 30 of them; of 160,000 calls a second
 * on kept connections, one for each connection.
 */
import type { OpenBodies } from "../exchange/open_bodies.ts";
import { within } from "../within.ts";

export type HttpServer = Deno.HttpServer<Deno.NetAddr>;

/** Longest wait in ms until a socket is opened again: some connections will be closed by then. */
const REOPEN_AFTER = 100;
/** How long bodies that are being read may hold up the shedding, in ms. */
const BODIES_PATIENCE = 5000;

export interface LastingServerOptions {
  /** Opens a socket that shares its port, and serves; throws when it cannot be opened. */
  readonly open: (port: number) => HttpServer;
  /** 0: any, and from then on that one. */
  readonly port: number;
  /** Those that are being read; a server that is shut down cuts them off. */
  readonly bodies: Pick<OpenBodies, "none" | "cut">;
  /** Told each time that the socket has failed or could not be opened again. */
  readonly onFailure: (error: unknown) => void;
  readonly reopenAfter?: number;
  readonly bodiesPatience?: number;
}

export class LastingServer {
  readonly address: Deno.NetAddr;
  readonly #options: LastingServerOptions;
  #server: HttpServer;
  /** Earlier servers that still have calls in flight. */
  readonly #leaving = new Set<Promise<void>>();
  #reopening: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  /** Throws what `open` throws, the first time. */
  constructor(options: LastingServerOptions) {
    this.#options = options;
    this.#server = this.#open(options.port);
    this.address = this.#server.addr;
  }

  /**
   * Accepts nothing more, as soon as no request's body is being read; resolves when
   * every call in flight is answered.
   */
  async shutdown(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#reopening);
    await this.#options.bodies.none();
    await Promise.all([this.#shutDown(this.#server), ...this.#leaving]);
  }

  /**
   * Closes every connection that carries no call, and every WebSocket. Bodies that are
   * being read may hold that up for so many ms; those that are not read by then are cut.
   */
  async shed(patience = this.#options.bodiesPatience ?? BODIES_PATIENCE): Promise<void> {
    const old = this.#server;
    try {
      this.#server = this.#open(this.address.port);
    } catch (error) {
      return await this.#failed(old, error); // there are no files left: what is open goes first
    }
    await within(patience, this.#options.bodies.none());
    this.#leave(old);
  }

  #open(port: number): HttpServer {
    const server = this.#options.open(port);
    server.finished.catch((error) => this.#failed(server, error));
    return server;
  }

  async #failed(server: HttpServer, error: unknown): Promise<void> {
    if (this.#isStopped || server !== this.#server) return;
    this.#options.onFailure(error);
    await within(this.#options.reopenAfter ?? REOPEN_AFTER, this.#leave(server));
    this.#reopen();
  }

  #reopen(): void {
    if (this.#isStopped) return;
    try {
      this.#server = this.#open(this.address.port);
    } catch (error) {
      this.#options.onFailure(error);
      const { reopenAfter = REOPEN_AFTER } = this.#options;
      this.#reopening = setTimeout(() => this.#reopen(), reopenAfter);
    }
  }

  #leave(server: HttpServer): Promise<void> {
    const left = this.#shutDown(server).finally(() => this.#leaving.delete(left));
    this.#leaving.add(left);
    return left;
  }

  /** Resolves when the calls in flight are answered, or it fails, which is as much of an end. */
  #shutDown(server: HttpServer): Promise<void> {
    this.#options.bodies.cut();
    return server.shutdown().catch(() => {});
  }
}
