/**
 * The part of the `ws` package that the tests use. Its published types bring those of
 * Node.js along, which then stand in place of Deno's own in every file that is checked.
 */
import type { Buffer } from "node:buffer";
import type { IncomingMessage, Server } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface ClientRequest {
  destroy(): void;
}

export interface WebSocketEvents {
  open: [];
  /** Binary or text, always as bytes. */
  message: [data: Buffer, isBinary: boolean];
  ping: [content: Buffer];
  pong: [content: Buffer];
  close: [code: number, reason: Buffer];
  error: [error: Error];
  upgrade: [response: IncomingMessage];
  "unexpected-response": [request: ClientRequest, response: IncomingMessage];
}

export class WebSocket {
  constructor(
    url: string,
    protocols: readonly string[],
    options: { readonly headers?: Record<string, string>; readonly ca?: string },
  );
  readonly protocol: string;
  /** Bytes that are not sent yet. */
  readonly bufferedAmount: number;
  send(data: string | Uint8Array, options?: { readonly fin?: boolean }): void;
  ping(content: string): void;
  /** Stops and goes on reading. */
  pause(): void;
  resume(): void;
  close(code?: number, reason?: string): void;
  /** Closes the connection without a Close. */
  terminate(): void;
  on<Name extends keyof WebSocketEvents>(
    name: Name,
    listener: (...event: WebSocketEvents[Name]) => void,
  ): void;
}

export interface ServerOptions {
  readonly host?: string;
  readonly port?: number;
  /** One that is there already, in place of host and port. */
  readonly server?: Server | HttpsServer;
  /** The subprotocol to agree to; false for none. */
  readonly handleProtocols?: (offered: Set<string>) => string | false;
}

export interface ServerEvents {
  connection: [socket: WebSocket, request: IncomingMessage];
  /** Before a 101 is sent; its lines may be changed. */
  headers: [lines: string[]];
  listening: [];
}

export class WebSocketServer {
  constructor(options: ServerOptions);
  readonly clients: Set<WebSocket>;
  address(): AddressInfo;
  close(done: () => void): void;
  on<Name extends keyof ServerEvents>(
    name: Name,
    listener: (...event: ServerEvents[Name]) => void,
  ): void;
}
