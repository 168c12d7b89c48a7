/**
 * What can go wrong between Portico and an upstream. A fault before the answer's
 * head becomes a refusal; one after it becomes an answer that is visibly cut off.
 */
import type { BodyFault } from "../exchange/body_reader.ts";

/**
 * - `unreachable`: no server could be connected to; nothing was sent (503)
 * - `timeout`: a server took too long to connect, to send or to take bytes (504)
 * - `invalid_response`: what came is no answer, or not all of one (502)
 * - `client_aborted`: the caller went away or did not send the body it had announced
 * - another `BodyFault`: the body of the caller's request did not come whole
 */
export type UpstreamFaultKind = "unreachable" | "timeout" | "invalid_response" | BodyFault;

export class UpstreamFault extends Error {
  override readonly name = "UpstreamFault";
  readonly kind: UpstreamFaultKind;
  /** `host:port` of the server that was asked last; empty when none was. */
  readonly server: string;

  constructor(kind: UpstreamFaultKind, server: string, message: string, cause?: unknown) {
    super(server === "" ? message : `${server} ${message}`, { cause });
    this.kind = kind;
    this.server = server;
  }
}

/** Bytes that are not HTTP/1.1 as RFC 9112 has it; becomes an `invalid_response`. */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
}
