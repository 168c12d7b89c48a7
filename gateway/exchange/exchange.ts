/**
 * One call, read once: immutable facts that every stage decides over. Nothing
 * after this reads the request's URL again.
 */
import { type Forwarding, type Range, readForwarding } from "./client.ts";
import { newRequestId } from "./request_id.ts";
import { BadTarget, readTarget } from "./target.ts";

export interface Exchange {
  readonly requestId: string;
  readonly method: string;
  readonly scheme: "http" | "https";
  /** Lower case, without the port: what matching compares. */
  readonly host: string;
  /** Host and port as the client sent them. */
  readonly authority: string;
  /** Canonical: see target.ts. */
  readonly path: string;
  /** Without the `?`; null when there was none. */
  readonly query: string | null;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
  /** The real client's IP address. */
  readonly address: string;
  readonly forwarding: Forwarding;
  /** `performance.now()` when the head had arrived, in ms. */
  readonly startedAt: number;
}

/** What is refused before any rule is asked: it has no exchange to decide over. */
export interface Malformed {
  readonly requestId: string;
  readonly code: "BAD_REQUEST" | "METHOD_NOT_ALLOWED";
  readonly reason: string;
  readonly forwarding: Forwarding;
}

export function isMalformed(exchange: Exchange | Malformed): exchange is Malformed {
  return "code" in exchange;
}

/** Where the request came in. */
export interface Arrival {
  readonly peer: string;
  readonly scheme: "http" | "https";
  readonly trustedProxies: readonly Range[];
}

/** Turns a request into an exchange, or into what is wrong with it. */
export function readExchange(request: Request, arrival: Arrival): Exchange | Malformed {
  const { headers, method } = request;
  const { peer, scheme, trustedProxies } = arrival;
  const forwarding = readForwarding(headers, peer, scheme, trustedProxies);
  const requestId = forwarding.requestId ?? newRequestId();
  const malformed = (code: Malformed["code"], reason: string) => (
    { requestId, code, reason, forwarding }
  );
  // A gateway is neither a tunnel (RFC 9110 §9.3.6) nor a mirror of credentials (§9.3.8).
  if (method === "CONNECT" || method === "TRACE") {
    return malformed("METHOD_NOT_ALLOWED", `The method ${method} is not served.`);
  }
  const target = readTarget(request.url, headers.get("host"));
  if (target instanceof BadTarget) return malformed("BAD_REQUEST", target.reason);
  if (method === "OPTIONS" && target.path === "/*") {
    return malformed("BAD_REQUEST", 'The request target "*" is not served.');
  }
  return {
    requestId,
    method,
    scheme: forwarding.scheme,
    host: hostName(target.authority),
    authority: target.authority,
    path: target.path,
    query: target.query,
    headers,
    body: request.body,
    address: forwarding.address,
    forwarding,
    startedAt: performance.now(),
  };
}

/** `EXAMPLE.com:8080` as `example.com`; a trailing dot is dropped, brackets stay. */
export function hostName(authority: string): string {
  const colon = authority.endsWith("]") ? -1 : authority.lastIndexOf(":");
  const name = (colon === -1 ? authority : authority.slice(0, colon)).toLowerCase();
  return name.endsWith(".") ? name.slice(0, -1) : name;
}
