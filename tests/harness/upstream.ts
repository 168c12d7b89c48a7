/** Upstream servers for tests: a real Node HTTP server that tells what it received. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as the upstream saw it. */
export interface Received {
  readonly method: string;
  /** The raw request target. */
  readonly target: string;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export class Upstream implements AsyncDisposable {
  readonly received: Received[] = [];
  constructor(readonly server: Server) {}

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get last(): Received {
    const last = this.received.at(-1);
    if (last === undefined) throw new Error("the upstream has received nothing");
    return last;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const echo: Answer = (request, response, body) => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({
    method: request.method,
    target: request.url,
    headers: request.headers,
    body,
  }));
};

/** Starts an upstream that answers every request with what it received, or by `answer`. */
export async function startUpstream(answer: Answer = echo): Promise<Upstream> {
  const server = createServer({ keepAliveTimeout: 5000 }, (request, response) => {
    const parts: Uint8Array[] = [];
    request.on("data", (part: Uint8Array) => parts.push(part));
    request.on("error", () => {});
    request.on("end", () => {
      const body = new TextDecoder().decode(joined(parts));
      upstream.received.push({
        method: request.method ?? "",
        target: request.url ?? "",
        rawHeaders: request.rawHeaders,
        headers: request.headers,
        body,
      });
      answer(request, response, body);
    });
  });
  const upstream = new Upstream(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return upstream;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
