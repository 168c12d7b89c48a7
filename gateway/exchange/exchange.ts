/**
 * One call, read once: immutable facts that every stage decides over. Nothing
 * after this reads the request's URL again.
 */
import { type Entrance, type Forwarding, readForwarding } from "./client.ts";
import { Refusal } from "../refusal/refusals.ts";
import { hostName } from "./host_name.ts";
import { newRequestId } from "./request_id.ts";
import { BadRequest } from "./bad_request.ts";
import { framedBody } from "./framing.ts";
import { type HeadBounds, oversized } from "./head_bounds.ts";
import type { HeaderField, HeaderFields } from "./header_fields.ts";
import { readTarget, unreadTarget } from "./target.ts";
import { asksForWebSocket } from "./websocket_upgrade.ts";

export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  readonly scheme: "http" | "https";
  /** Lower case, without the port: what matching compares. */
  readonly host: string;
  /** Host and port as the client sent them, by the word of its proxy where that is taken. */
  readonly authority: string;
  /** Canonical: see target.ts. */
  readonly path: string;
  /** Without the `?`; null when there was none. */
  readonly query: string | null;
  readonly headers: Headers;
  /** The same in a list, for who goes through all; what came repeatedly is one, joined. */
  readonly fields: HeaderFields;
  /** Whether the client wants the connection to become a WebSocket. */
  readonly asksForWebSocket: boolean;
  readonly body: ReadableStream<Uint8Array> | null;
  /** Bytes of body that the client announced; null when it announced none. */
  readonly bodyLength: number | null;
  /** The real client's IP address. */
  readonly address: string;
  readonly forwarding: Forwarding;
  /** `performance.now()` when the head had arrived, in ms. */
  readonly startedAt: number;
}

/**
 * A request that no rule is asked about. Its exchange holds what could be read, for
 * the answer and the record; its path is not canonical and must never be forwarded.
 */
export interface Malformed {
  readonly refusal: Refusal;
  readonly exchange: Exchange;
}

export function isMalformed(read: Exchange | Malformed): read is Malformed {
  return "refusal" in read;
}

/** Where the request came in. */
export interface Arrival {
  readonly peer: string;
  readonly scheme: "http" | "https";
  readonly entrance: Entrance;
  readonly headBounds: HeadBounds;
}

/** Turns a request into an exchange, or into what is wrong with it. */
export function readExchange(
  request: Pick<Request, "url" | "method" | "headers" | "body">,
  arrival: Arrival,
): Exchange | Malformed {
  const { headers, method } = request;
  const { peer, scheme, entrance, headBounds } = arrival;
  const fields = fieldsOf(headers);
  const excess = oversized(request.url, fields, headBounds);
  const forwarding = readForwarding(headers, peer, scheme, entrance);
  const target = excess ?? readTarget(request.url, headers.get("host"), scheme);
  const body = framedBody(request, scheme);
  const { authority: named, path, query } = "path" in target ? target : unreadTarget(request.url);
  const authority = forwarding.authority ?? named;
  const exchange: Exchange = {
    requestId: forwarding.requestId ?? newRequestId(),
    method,
    scheme: forwarding.scheme,
    host: hostName(authority),
    authority,
    path,
    query,
    headers,
    fields,
    asksForWebSocket: asksForWebSocket(method, headers),
    ...(body instanceof BadRequest
      ? { body: null, bodyLength: null }
      : { body: body.stream, bodyLength: body.length }),
    address: forwarding.address,
    forwarding,
    startedAt: performance.now(),
  };
  const refusal = excess ?? refusalOf(target) ?? refusedMethod(method, path) ?? refusalOf(body);
  return refusal === null ? exchange : { refusal, exchange };
}

/**
 * By a callback: `for … of` makes an iterator and a pair for each
 * field, at three times the cost.
 */
function fieldsOf(headers: Headers): HeaderFields {
  const fields: HeaderField[] = [];
  headers.forEach((value, name) => fields.push([name, value]));
  return fields;
}

function refusalOf(read: object): Refusal | null {
  return read instanceof BadRequest ? new Refusal("BAD_REQUEST", read.reason) : null;
}

/**
 * In any case: to us a method that is not all capitals is another one,
 * but not to every upstream.
 */
const REFUSED_METHOD = /^(?:CONNECT|TRACE|TRACK)$/i;

/** A gateway is neither a tunnel (RFC 9110 §9.3.6) nor a mirror of credentials (§9.3.8). */
function refusedMethod(method: string, path: string): Refusal | null {
  if (REFUSED_METHOD.test(method)) {
    return new Refusal("METHOD_NOT_ALLOWED", `The method ${method} is not served.`);
  }
  if (method === "OPTIONS" && path === "/*") {
    return new Refusal("BAD_REQUEST", 'The request target "*" is not served.');
  }
  return null;
}
