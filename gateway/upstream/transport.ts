/**
 * What calls to a server travel on: TCP alone, or TLS on top of it with the
 * certificate verified as the backend wants.
 */
import { connect as connectNode, isIP, type Socket as NodeStream } from "node:net";
import { connect as startNodeTls, type ConnectionOptions } from "node:tls";
import { NodeSocket } from "./node_socket.ts";
import type { Socket } from "./wire.ts";

/** Each an explicit choice of the backend. */
export interface TlsOptions {
  /** Whether the server's certificate is verified. */
  readonly verify: boolean;
  /** Certificates in PEM that are trusted besides the usual ones. */
  readonly ca: string | null;
  /** The name to ask for (SNI) and to verify; null: the server's host. */
  readonly serverName: string | null;
}

export interface Transport {
  /** TCP to `address`; ends at `signal`. */
  connect(address: string, port: number, signal: AbortSignal): Promise<Link>;
}

/** An accepted TCP connection. */
export interface Link {
  /** Makes it ready for calls, with a handshake if there is one; ends at `signal`. */
  ready(signal: AbortSignal): Promise<Socket>;
  /** Closes it instead. */
  close(): void;
}

/** The transport to `hostname`, which may be an address but has no brackets. */
export function transportTo(hostname: string, tls: TlsOptions | null): Transport {
  if (tls === null) return plain;
  const name = tls.serverName ?? hostname;
  return tls.verify
    ? new VerifiedTls(name, tls.ca)
    : new NodeTls(name, { rejectUnauthorized: false });
}

async function connectTcp(
  hostname: string,
  port: number,
  signal: AbortSignal,
): Promise<Deno.TcpConn> {
  const tcp = await Deno.connect({ hostname, port, signal });
  // Otherwise a small piece of a body waits until the one before is acknowledged.
  tcp.setNoDelay(true);
  return tcp;
}

const plain: Transport = {
  async connect(address, port, signal) {
    const tcp = await connectTcp(address, port, signal);
    return { ready: () => Promise.resolve(tcp), close: () => tcp.close() };
  },
};

/** Deno's TLS: it verifies, and sees whether an end was the server's. */
class VerifiedTls implements Transport {
  readonly #name: string;
  readonly #ca: string | null;
  /** Set once the server turned out to show a certificate that `#ca` itself holds. */
  #lenient: NodeTls | null = null;

  constructor(name: string, ca: string | null) {
    this.#name = name;
    this.#ca = ca;
  }

  async connect(address: string, port: number, signal: AbortSignal): Promise<Link> {
    if (this.#lenient !== null) return await this.#lenient.connect(address, port, signal);
    const tcp = await connectTcp(address, port, signal);
    return {
      ready: async (signal) => {
        try {
          return await this.#handshake(tcp, signal);
        } catch (error) {
          if (this.#ca === null || !isAuthorityItself(error)) throw error;
          this.#lenient = new NodeTls(this.#name, { ca: this.#ca });
          return await (await this.#lenient.connect(address, port, signal)).ready(signal);
        }
      },
      close: () => tcp.close(),
    };
  }

  async #handshake(tcp: Deno.TcpConn, signal: AbortSignal): Promise<Socket> {
    const tls = await Deno.startTls(tcp, {
      hostname: this.#name,
      caCerts: this.#ca === null ? [] : [this.#ca],
      alpnProtocols: ["http/1.1"],
    });
    let isOpen = true;
    const close = () => {
      if (isOpen) tls.close();
      isOpen = false;
    };
    signal.addEventListener("abort", close, { once: true });
    try {
      if (signal.aborted) throw signal.reason; // before the listener was there
      await tls.handshake();
      return tls;
    } catch (error) {
      close();
      throw error;
    } finally {
      signal.removeEventListener("abort", close);
    }
  }
}

/**
 * Certificates that authorities may be made with are not accepted as a server's by
 * Deno's TLS, even when they are trusted: what `openssl req -x509` makes unless told
 * otherwise. Whoever gave one as `ca` means it.
 */
function isAuthorityItself(error: unknown): boolean {
  return error instanceof Error && error.message.includes("CaUsedAsEndEntity");
}

/**
 * Node's TLS, for what Deno's does not offer for one connection alone. It does not
 * tell whether the server or somebody on the way ended the connection.
 */
class NodeTls implements Transport {
  readonly #options: ConnectionOptions;

  constructor(name: string, options: Pick<ConnectionOptions, "rejectUnauthorized" | "ca">) {
    this.#options = {
      ...options,
      ALPNProtocols: ["http/1.1"],
      // An address is verified but not sent: RFC 6066 §3 allows names only.
      ...isIP(name) === 0 ? { servername: name } : { host: name },
    };
  }

  async connect(address: string, port: number, signal: AbortSignal): Promise<Link> {
    const tcp = connectNode({ host: address, port, noDelay: true });
    await event(tcp, "connect", signal);
    return {
      ready: async (signal) => {
        const tls = startNodeTls({ ...this.#options, socket: tcp });
        await event(tls, "secureConnect", signal);
        return new NodeSocket(tls);
      },
      close: () => tcp.destroy(),
    };
  }
}

/** Waits for `name`; destroys the stream and rejects if it fails or `signal` aborts before. */
function event(stream: NodeStream, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      signal.removeEventListener("abort", aborted);
      stream.off(name, settle).off("close", closed);
      if (error === undefined) return resolve();
      stream.destroy();
      reject(error);
    };
    const aborted = () => settle(signal.reason);
    const closed = () => settle(new Error("the connection was closed"));
    stream.once(name, settle).once("error", settle).once("close", closed);
    if (signal.aborted) aborted();
    else signal.addEventListener("abort", aborted, { once: true });
  });
}
