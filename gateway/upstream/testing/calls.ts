/** Calls for tests: sent with few words, and read to their end. */
import { Buffer } from "node:buffer";
import type { UpstreamCall, UpstreamResponse } from "../call.ts";
import { UpstreamGroup, type UpstreamGroupOptions } from "../group.ts";
import type { UpstreamRequest } from "../request_head.ts";
import type { UpstreamTimeouts } from "../timeouts.ts";
import type { TlsOptions } from "../transport.ts";
import type { ByteUpstream } from "./byte_upstream.ts";

export interface TestGroupOptions extends Partial<UpstreamGroupOptions> {
  /** Of every call that is sent. */
  readonly timeouts?: Partial<UpstreamTimeouts>;
}

const TIMEOUTS: UpstreamTimeouts = { connect: 60_000, read: 60_000, send: 60_000, total: null };

/** A group that is closed at the end of its scope. */
export class TestGroup extends UpstreamGroup implements Disposable {
  readonly #timeouts: UpstreamTimeouts;

  constructor(
    servers: readonly (ByteUpstream | { readonly host: string; readonly port: number })[],
    { timeouts, ...options }: TestGroupOptions = {},
  ) {
    super({
      servers: servers.map((server) => "server" in server ? server.server : server),
      algorithm: "round_robin",
      tls: null,
      dnsMaxAge: 60_000,
      healthCheck: null,
      ...options,
    });
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
  }

  override send(request: UpstreamRequest, onEnd?: (call: UpstreamCall) => void): UpstreamCall {
    return super.send({ ...request, timeouts: this.#timeouts }, onEnd);
  }

  get(target = "/"): UpstreamCall {
    return this.send(request({ target }));
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** TLS with verified certificates, also those that `ca` has made. */
export function trusting(ca: string | null): TlsOptions {
  return { verify: true, ca, serverName: null };
}

export function request(parts: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: "GET",
    target: "/",
    headers: [["host", "upstream.example"]],
    body: null,
    bodyLength: null,
    clientAddress: "192.0.2.1",
    timeouts: TIMEOUTS,
    ...parts,
  };
}

/** A POST whose body is sent as the given pieces, in latin1. */
export function post(pieces: readonly string[], bodyLength: number | null): UpstreamRequest {
  const body = ReadableStream.from(pieces.map((piece) => Buffer.from(piece, "latin1")));
  return request({ method: "POST", body, bodyLength });
}

/** The whole body of an answer, in latin1. */
export async function text({ body }: UpstreamResponse): Promise<string> {
  if (body === null) return "";
  if (body instanceof Uint8Array) return Buffer.from(body).toString("latin1");
  let all = "";
  for await (const piece of body) all += Buffer.from(piece).toString("latin1");
  return all;
}

/** Resolves after whatever is due now has been done. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
