/** An upstream made of bytes: each connection's request head is kept, and a script writes the answer. */
import { latin1 } from "./raw.ts";

const encoder = new TextEncoder();

/** One connection from the gateway. */
export class ByteExchange {
  #text = "";
  readonly #buffer = new Uint8Array(64 * 1024);
  constructor(readonly connection: Deno.TcpConn) {}

  /** Everything received so far, as latin1. */
  get received(): string {
    return this.#text;
  }

  async write(text: string): Promise<void> {
    let rest = encoder.encode(text);
    while (rest.length > 0) rest = rest.subarray(await this.connection.write(rest));
  }

  /** Reads until the condition holds; false when the gateway closed first. */
  async readUntil(done: (text: string) => boolean): Promise<boolean> {
    while (!done(this.#text)) {
      const count = await this.connection.read(this.#buffer).catch(() => null);
      if (count === null) return false;
      this.#text += latin1(this.#buffer.subarray(0, count));
    }
    return true;
  }

  readHead(): Promise<boolean> {
    return this.readUntil((text) => text.includes("\r\n\r\n"));
  }

  /** Reads until the gateway closes or resets the connection. */
  async untilClosed(): Promise<void> {
    await this.readUntil(() => false);
  }

  close(): void {
    try {
      this.connection.close();
    } catch {
      // The script closed it already.
    }
  }
}

export class ByteUpstream implements AsyncDisposable {
  readonly exchanges: ByteExchange[] = [];
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #running: Promise<void>;
  readonly #scripts: Promise<void>[] = [];

  /** `script` is run for each connection; the connection is closed after it. */
  constructor(script: (exchange: ByteExchange) => Promise<void>) {
    this.#running = this.#accept(script);
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  async #accept(script: (exchange: ByteExchange) => Promise<void>): Promise<void> {
    try {
      for await (const connection of this.#listener) {
        const exchange = new ByteExchange(connection);
        this.exchanges.push(exchange);
        this.#scripts.push(
          script(exchange).catch(() => {}).finally(() => exchange.close()),
        );
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error; // closed by the test
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const exchange of this.exchanges) exchange.close();
    await this.#running;
    await Promise.all(this.#scripts);
  }
}
