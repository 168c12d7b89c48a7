/**
 * Connects to a server: TCP, and TLS on top of it with the certificate verified.
 * The whole takes `connect` ms at most and can be given up at any moment.
 */
import type { Carrier } from "./call.ts";
import type { DeadlineWatch, Waiting } from "./deadlines.ts";
import { UpstreamFault } from "./faults.ts";

export interface UpstreamTarget {
  readonly protocol: "http" | "https";
  /** A name, an IPv4 literal, or an IPv6 literal with or without brackets. */
  readonly hostname: string;
  readonly port: number;
}

export interface DialOptions {
  readonly target: UpstreamTarget;
  /** `host:port`, for faults. */
  readonly name: string;
  /** Longest time to connect, the TLS handshake included, in ms. */
  readonly connectLimit: number;
  /** Certificates in PEM that are trusted besides the usual ones. */
  readonly caCerts: readonly string[];
  readonly watch: DeadlineWatch;
}

/** One attempt to connect. */
export class Dial implements Carrier, Waiting {
  readonly #options: DialOptions;
  readonly #deadline: number;
  readonly #connecting = new AbortController();
  /** What `abort` has to close; TCP that is not yet connected listens to the signal. */
  #handshaking: Deno.TlsConn | null = null;
  /** Why the attempt was given up. */
  #fault: UpstreamFault | null = null;

  constructor(options: DialOptions) {
    this.#options = options;
    this.#deadline = options.watch.now() + options.connectLimit;
  }

  /**
   * The connection, ready for bytes. To be called once.
   *
   * @throws {UpstreamFault} `unreachable`, `timeout`, or what `abort` was given.
   */
  async open(): Promise<Deno.Conn> {
    const { watch, target, name } = this.#options;
    watch.add(this);
    try {
      const tcp = await this.#connect();
      return target.protocol === "https" ? await this.#secure(tcp) : tcp;
    } catch (error) {
      throw this.#fault ?? new UpstreamFault("unreachable", name, unreachable(error), error);
    } finally {
      watch.delete(this);
    }
  }

  abort(fault: UpstreamFault): void {
    if (this.#fault !== null) return;
    this.#fault = fault;
    this.#connecting.abort();
    this.#handshaking?.close();
    this.#handshaking = null;
  }

  expire(now: number): void {
    if (now < this.#deadline) return;
    const { name, connectLimit } = this.#options;
    const message = `did not accept a connection within ${connectLimit / 1000} s`;
    this.abort(new UpstreamFault("timeout", name, message));
  }

  async #connect(): Promise<Deno.TcpConn> {
    const { hostname, port } = this.#options.target;
    const tcp = await Deno.connect({
      hostname: withoutBrackets(hostname),
      port,
      signal: this.#connecting.signal,
    });
    if (this.#fault !== null) {
      tcp.close();
      throw this.#fault;
    }
    // Otherwise a small piece of a body waits until the one before is acknowledged.
    tcp.setNoDelay(true);
    return tcp;
  }

  /** The host's name goes out as SNI, and the certificate has to be made out to it. */
  async #secure(tcp: Deno.TcpConn): Promise<Deno.TlsConn> {
    const tls = await Deno.startTls(tcp, {
      hostname: withoutBrackets(this.#options.target.hostname),
      caCerts: [...this.#options.caCerts],
      alpnProtocols: ["http/1.1"],
    });
    this.#handshaking = tls;
    try {
      if (this.#fault === null) await tls.handshake();
      if (this.#fault !== null) throw this.#fault;
      return tls;
    } catch (error) {
      this.#handshaking?.close(); // null when `abort` has closed it
      throw error;
    } finally {
      this.#handshaking = null;
    }
  }
}

function withoutBrackets(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

function unreachable(error: unknown): string {
  return `cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
}
