/**
 * An upstream for tests that does nothing by itself: a script says byte by byte
 * what each connection reads and writes.
 */
import { Buffer } from "node:buffer";

/** What a script does with one connection; `index` counts them from 0. */
export type Script = (peer: Peer, index: number) => Promise<void> | void;

/** One accepted connection, in latin1: a character is a byte. */
export class Peer {
  readonly #socket: Deno.Conn;
  readonly #buffer = Buffer.allocUnsafe(65_536);
  #received = "";

  constructor(socket: Deno.Conn) {
    this.#socket = socket;
  }

  /** Takes everything up to and with `end`. @throws if the other side closes before. */
  async readThrough(end: string): Promise<string> {
    for (;;) {
      const at = this.#received.indexOf(end);
      if (at !== -1) return this.#take(at + end.length);
      if (!await this.#more()) throw new Error(`closed after ${JSON.stringify(this.#received)}`);
    }
  }

  /** Takes the head of a request. */
  readHead(): Promise<string> {
    return this.readThrough("\r\n\r\n");
  }

  /** Takes `count` bytes. */
  async readBytes(count: number): Promise<string> {
    while (this.#received.length < count) {
      if (!await this.#more()) throw new Error(`closed after ${this.#received.length} bytes`);
    }
    return this.#take(count);
  }

  /** Everything until the other side closes, in order or with a reset. */
  async readToEnd(): Promise<string> {
    while (await this.#more().catch(() => false));
    return this.#take(this.#received.length);
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    let rest = typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes;
    while (rest.length > 0) rest = rest.subarray(await this.#socket.write(rest));
  }

  /** Reads a request without a body and answers it. */
  async answer(bytes: string): Promise<string> {
    const head = await this.readHead();
    await this.write(bytes);
    return head;
  }

  close(): void {
    try {
      this.#socket.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error; // closed before
    }
  }

  async #more(): Promise<boolean> {
    const count = await this.#socket.read(this.#buffer);
    if (count === null) return false;
    this.#received += this.#buffer.toString("latin1", 0, count);
    return true;
  }

  #take(count: number): string {
    const taken = this.#received.slice(0, count);
    this.#received = this.#received.slice(count);
    return taken;
  }
}

export class ByteUpstream implements AsyncDisposable {
  readonly #listener: Deno.Listener;
  readonly #script: Script;
  readonly #peers: Peer[] = [];
  readonly #scripts: Promise<void>[] = [];
  readonly #serving: Promise<void>;

  /** Runs `script` for each connection that comes and closes it when the script ends. */
  constructor(script: Script, listener: Deno.Listener = listenLocally()) {
    this.#script = script;
    this.#listener = listener;
    this.#serving = this.#serve();
  }

  get port(): number {
    return portOf(this.#listener);
  }

  get server(): { host: string; port: number } {
    return { host: "127.0.0.1", port: this.port };
  }

  /** Connections accepted so far. */
  get connections(): number {
    return this.#peers.length;
  }

  async #serve(): Promise<void> {
    for await (const socket of this.#listener) {
      // Otherwise the second of two small writes waits 40 ms for the first to be acknowledged.
      if (isTcp(socket)) socket.setNoDelay(true);
      const peer = new Peer(socket);
      const running = this.#run(peer, this.#peers.push(peer) - 1);
      running.catch(() => {}); // told at the end, by `asyncDispose`
      this.#scripts.push(running);
    }
  }

  async #run(peer: Peer, index: number): Promise<void> {
    try {
      await this.#script(peer, index);
    } finally {
      peer.close();
    }
  }

  /** Stops listening, and fails if a script has failed. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    await this.#serving;
    await Promise.all(this.#scripts);
  }
}

function isTcp(socket: Deno.Conn): socket is Deno.TcpConn {
  return "setNoDelay" in socket;
}

export function listenLocally(): Deno.Listener {
  return Deno.listen({ hostname: "127.0.0.1", port: 0 });
}

/** A port nobody listens on any more. */
export function closedPort(): number {
  const listener = listenLocally();
  const port = portOf(listener);
  listener.close();
  return port;
}

export function portOf(listener: Deno.Listener): number {
  const { addr } = listener;
  if (addr.transport !== "tcp") throw new TypeError("not a TCP listener");
  return addr.port;
}
