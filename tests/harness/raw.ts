/** Speaks to a server in bytes, for what no HTTP client would send or show. */

import { Buffer } from "node:buffer";

const encoder = new TextEncoder();

/** A character a byte; a TextDecoder named "latin1" is windows-1252 and changes some. */
function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** A connection to loopback that keeps all it has read, as latin1 text. */
export class RawConnection implements Disposable {
  #text = "";
  #ended = false;
  readonly #buffer = new Uint8Array(64 * 1024);

  private constructor(readonly connection: Deno.TcpConn) {}

  static async open(port: number): Promise<RawConnection> {
    return new RawConnection(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  async send(bytes: string | Uint8Array): Promise<void> {
    let rest = typeof bytes === "string" ? encoder.encode(bytes) : bytes;
    while (rest.length > 0) rest = rest.subarray(await this.connection.write(rest));
  }

  /** Reads until `done` holds of everything read so far, or the other side closes. */
  async readUntil(done: (text: string) => boolean): Promise<string> {
    while (!this.#ended && !done(this.#text)) {
      let count: number | null;
      try {
        count = await this.connection.read(this.#buffer);
      } catch {
        count = null; // a reset is an end as well
      }
      if (count === null) this.#ended = true;
      else this.#text += latin1(this.#buffer.subarray(0, count));
    }
    return this.#text;
  }

  /** Reads to the end of the connection. */
  readAll(): Promise<string> {
    return this.readUntil(() => false);
  }

  /** Whether the other side has closed or reset the connection. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Forgets what was read, for the next answer on the same connection. */
  clear(): void {
    this.#text = "";
  }

  [Symbol.dispose](): void {
    try {
      this.connection.close();
    } catch {
      // Closed already by the test itself.
    }
  }
}

/** Sends a request that asks for the connection to be closed, and reads the whole answer. */
export async function exchangeBytes(port: number, request: string): Promise<RawAnswer> {
  using connection = await RawConnection.open(port);
  await connection.send(request);
  return parseAnswer(await connection.readAll());
}

export interface RawAnswer {
  readonly status: number;
  /** Lines of the head, the status line first. */
  readonly head: readonly string[];
  readonly body: string;
}

/** Takes an answer apart without judging it. */
export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf("\r\n\r\n");
  const head = text.slice(0, end === -1 ? undefined : end).split("\r\n");
  return {
    status: Number(head[0]?.split(" ")[1] ?? 0),
    head,
    body: end === -1 ? "" : text.slice(end + 4),
  };
}

/** The values of a header, in order. */
export function headerValues(answer: RawAnswer, name: string): string[] {
  const prefix = `${name.toLowerCase()}:`;
  return answer.head.slice(1).filter((line) => line.toLowerCase().startsWith(prefix))
    .map((line) => line.slice(prefix.length).trim());
}

/** The bytes of a GET that asks for the connection to be closed, with extra header lines. */
export function closingGet(target: string, ...headers: string[]): string {
  return [`GET ${target} HTTP/1.1`, "Host: a.example", "Connection: close", ...headers, "", ""]
    .join("\r\n");
}
