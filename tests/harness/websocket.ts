/**
 * Both ends of a WebSocket for tests, by the `ws` package: it is not ours, and strict.
 * It is named here and locked in tests/deno.lock, because only tests need it.
 */
// deno-lint-ignore-file no-import-prefix -- see above
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
// @ts-types="./ws.d.ts"
import { type ServerOptions, WebSocket, WebSocketServer } from "npm:ws@8.23.0";

export interface Message {
  readonly text: string;
  readonly isBinary: boolean;
}

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** One end of a WebSocket, which keeps what comes until a test asks for it. */
export class WebSocketEnd {
  /** Resolves when it is closed, with what `ws` takes for the reason. */
  readonly closed: Promise<Closed>;
  /** Content of the pings and pongs that came. */
  readonly pings: string[] = [];
  readonly pongs: string[] = [];
  readonly #arrived: Message[] = [];
  readonly #wanted: ((message: Message) => void)[] = [];

  constructor(readonly socket: WebSocket) {
    socket.on("message", (data, isBinary) => this.#arrive(data, isBinary));
    socket.on("ping", (content) => this.pings.push(content.toString()));
    socket.on("pong", (content) => this.pongs.push(content.toString()));
    socket.on("error", () => {}); // `close` follows, with 1006
    this.closed = new Promise((resolve) =>
      socket.on("close", (code, reason) => resolve({ code, reason: reason.toString() }))
    );
  }

  /** The next message; of a binary one, its bytes in latin1. */
  next(): Promise<Message> {
    const message = this.#arrived.shift();
    if (message !== undefined) return Promise.resolve(message);
    return new Promise((resolve) => this.#wanted.push(resolve));
  }

  async text(): Promise<string> {
    return (await this.next()).text;
  }

  send(data: string | Uint8Array): void {
    this.socket.send(data);
  }

  #arrive(data: Buffer, isBinary: boolean): void {
    const message = { text: data.toString(isBinary ? "latin1" : "utf8"), isBinary };
    const wanted = this.#wanted.shift();
    if (wanted === undefined) this.#arrived.push(message);
    else wanted(message);
  }
}

/** A server of WebSockets. */
export class WebSocketUpstream implements AsyncDisposable {
  readonly #server: WebSocketServer;
  readonly #arrived: [WebSocketEnd, IncomingMessage][] = [];
  readonly #wanted: ((arrived: [WebSocketEnd, IncomingMessage]) => void)[] = [];

  constructor(options: ServerOptions) {
    this.#server = new WebSocketServer(options);
    this.#server.on("connection", (socket, request) => {
      const arrived: [WebSocketEnd, IncomingMessage] = [new WebSocketEnd(socket), request];
      const wanted = this.#wanted.shift();
      if (wanted === undefined) this.#arrived.push(arrived);
      else wanted(arrived);
    });
  }

  async listening(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.on("listening", resolve));
    return this;
  }

  get port(): number {
    return this.#server.address().port;
  }

  /** Has a say in the headers of each 101. */
  onHeaders(change: (headers: string[]) => void): void {
    this.#server.on("headers", change);
  }

  /** The next WebSocket that was opened, and the request that asked for it. */
  accept(): Promise<[WebSocketEnd, IncomingMessage]> {
    const arrived = this.#arrived.shift();
    if (arrived !== undefined) return Promise.resolve(arrived);
    return new Promise((resolve) => this.#wanted.push(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#server.clients) socket.terminate();
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }
}

export function startWebSocketUpstream(options: ServerOptions = {}): Promise<WebSocketUpstream> {
  return new WebSocketUpstream({ host: "127.0.0.1", port: 0, ...options }).listening();
}

export interface OpenOptions {
  readonly protocols?: readonly string[];
  readonly headers?: Record<string, string>;
  /** A certificate to trust. */
  readonly ca?: string;
}

/** What came in place of a WebSocket. */
export class NotOpened extends Error {
  constructor(
    readonly status: number,
    readonly headers: IncomingMessage["headers"],
    readonly body: string,
  ) {
    super(`${status} ${body}`);
  }
}

export interface Opened {
  readonly end: WebSocketEnd;
  /** The headers of the 101. */
  readonly headers: IncomingMessage["headers"];
}

/** Opens a WebSocket. Rejects with `NotOpened` when the answer is another one. */
export function openWebSocket(url: string, options: OpenOptions = {}): Promise<Opened> {
  const { protocols = [], headers = {}, ca } = options;
  const socket = new WebSocket(url.replace(/^http/, "ws"), [...protocols], {
    headers,
    ...(ca === undefined ? {} : { ca }),
  });
  const end = new WebSocketEnd(socket);
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage["headers"] = {};
    socket.on("upgrade", ({ headers }) => answer = headers);
    socket.on("open", () => resolve({ end, headers: answer }));
    socket.on("error", reject);
    socket.on("unexpected-response", (request, response) => {
      const parts: Uint8Array[] = [];
      response.on("data", (part: Uint8Array) => parts.push(part));
      response.on("end", () => {
        request.destroy();
        const body = Buffer.concat(parts).toString();
        reject(new NotOpened(response.statusCode ?? 0, response.headers, body));
      });
    });
  });
}
