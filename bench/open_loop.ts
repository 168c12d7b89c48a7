/**
 * A client with a fixed offered load, run as a process of its own: calls begin when they are
 * due, at random moments (a Poisson process), whether or not earlier ones were answered. A
 * latency counts from the moment the call was due, so that waiting for a free connection counts.
 *
 * Argument: JSON of an `OpenLoop`. Prints JSON of an `OpenLoopResult`.
 */
import { median, percentile } from "./statistics.ts";

export interface OpenLoop {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Calls a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly connections: number;
}

/**
 * Latencies in milliseconds: the median over all quarters of a second of the percentile in each.
 * So a stall of the machine spoils the quarter it falls in and not the figure.
 */
export interface OpenLoopResult {
  readonly calls: number;
  /** Answers other than 200. */
  readonly failures: number;
  readonly p50: number;
  readonly p99: number;
}

/** Milliseconds at the start that do not count: connections open, compilers compile. */
const WARM_UP = 1000;
/** Milliseconds. */
const QUARTER = 250;

class Connection {
  readonly #buffer = new Uint8Array(16_384);
  constructor(readonly socket: Deno.Conn) {}

  /** Makes a call; gives the status of the answer once all of it has come. */
  async call(request: Uint8Array): Promise<number> {
    await this.socket.write(request);
    let text = "";
    for (let whole = Infinity; text.length < whole;) {
      const count = await this.socket.read(this.#buffer);
      if (count === null) throw new Error("the connection was closed in the middle of an answer");
      for (let at = 0; at < count; at++) text += String.fromCharCode(this.#buffer[at] ?? 0);
      whole = wholeLength(text);
    }
    return Number(text.slice(9, 12));
  }
}

/** Length of head and body; infinite while the head is not there. */
function wholeLength(text: string): number {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return Infinity;
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) throw new Error("an answer came without Content-Length");
  return end + 4 + Number(length);
}

class Client {
  readonly #load: OpenLoop;
  readonly #request: Uint8Array;
  readonly #free: Connection[];
  /** When the calls were due that have no connection yet. */
  readonly #waiting: number[] = [];
  readonly #quarters: number[][];
  readonly #begin = performance.now();
  #failures = 0;
  #open = 0;

  constructor(load: OpenLoop, connections: readonly Connection[]) {
    this.#load = load;
    this.#free = [...connections];
    this.#quarters = Array.from({ length: load.seconds * 1000 / QUARTER }, () => []);
    const headers = Object.entries({ host: `127.0.0.1:${load.port}`, ...load.headers })
      .map(([name, value]) => `${name}: ${value}\r\n`).join("");
    this.#request = new TextEncoder().encode(`GET ${load.path} HTTP/1.1\r\n${headers}\r\n`);
  }

  async run(): Promise<OpenLoopResult> {
    const end = this.#begin + WARM_UP + this.#load.seconds * 1000;
    let due = this.#begin;
    while (due < end || this.#open > 0 || this.#waiting.length > 0) {
      for (const now = performance.now(); due <= now && due < end; due += this.#gap()) {
        this.#waiting.push(due);
      }
      this.#send();
      // Turns without sleep: a timer would come a millisecond late, and the calls in bursts.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const middle = (share: number) =>
      median(this.#quarters.map((latencies) => percentile(latencies, share)));
    return {
      calls: this.#quarters.reduce((sum, { length }) => sum + length, 0),
      failures: this.#failures,
      p50: middle(0.5),
      p99: middle(0.99),
    };
  }

  /** Milliseconds to the next call. */
  #gap(): number {
    return -Math.log(1 - Math.random()) * 1000 / this.#load.rate;
  }

  #send(): void {
    while (this.#waiting.length > 0) {
      const connection = this.#free.pop();
      if (connection === undefined) return;
      this.#call(connection, this.#waiting.shift() ?? 0);
    }
  }

  async #call(connection: Connection, due: number): Promise<void> {
    this.#open++;
    const status = await connection.call(this.#request);
    this.#open--;
    this.#free.push(connection);
    if (status !== 200) this.#failures++;
    const quarter = Math.floor((due - this.#begin - WARM_UP) / QUARTER);
    this.#quarters[quarter]?.push(performance.now() - due);
  }
}

if (import.meta.main) {
  const load = JSON.parse(Deno.args[0] ?? "") as OpenLoop;
  const connections = await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const socket = await Deno.connect({ hostname: "127.0.0.1", port: load.port });
      socket.setNoDelay();
      return new Connection(socket);
    }),
  );
  console.log(JSON.stringify(await new Client(load, connections).run()));
  for (const { socket } of connections) socket.close();
}
