/**
 * Writes the head of a request. Everything that goes into it was decided before;
 * this is the last place that could let one request become two, so it checks
 * every byte and adds the framing itself.
 */
import { Buffer } from "node:buffer";
import type { ClientBounds } from "../exchange/client_bounds.ts";
import type { HeaderFields } from "../exchange/header_fields.ts";
import type { UpstreamTimeouts } from "./timeouts.ts";
import { FIELD_CONTENT, TOKEN } from "./grammar.ts";

export interface UpstreamRequest {
  readonly method: string;
  /** origin-form (RFC 9112 §3.2.1) as it goes out; characters beyond ASCII become UTF-8. */
  readonly target: string;
  /** The final list, with Host, without hop-by-hop and framing fields; values are latin1. */
  readonly headers: HeaderFields;
  readonly body: ReadableStream<Uint8Array> | null;
  /** Bytes of body that the client announced; null when it announced none (chunked, or no body). */
  readonly bodyLength: number | null;
  readonly timeouts: UpstreamTimeouts;
  /** Whom the call comes from, to choose a server by; it is not sent. */
  readonly clientAddress: string;
  /** The protocol that the connection should switch to; none when absent. */
  readonly upgrade?: "websocket";
  /** Absent: whatever the client does is waited for. */
  readonly client?: ClientBounds;
  /** Gives what aborts when the client leaves; asked for once, by calls that take long. */
  readonly clientSignal?: () => AbortSignal;
}

const METHOD = new RegExp(`^${TOKEN}$`);
const PLAIN_TARGET = /^[\x21-\x7e]+$/;
// deno-lint-ignore no-control-regex -- control characters are what is refused
const UNSAFE_IN_TARGET = /[\x00-\x20\x7f]/;

/** One line of the head; not one of those that say where a message ends. */
const SAFE_LINE = new RegExp(
  `^(?!(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade):)` +
    `${TOKEN}: ${FIELD_CONTENT}$`,
  "i",
);

/**
 * The head of `request` as a latin1 string.
 *
 * Without a body and with a `bodyLength` of 0 the request says `Content-Length: 0`,
 * as it should for POST and PUT (RFC 9110 §8.6).
 *
 * @throws {TypeError} for a method, target, field or length that cannot be sent as it is.
 */
export function formatRequestHead(request: UpstreamRequest): string {
  const { method, target, headers, body, bodyLength, upgrade } = request;
  if (!METHOD.test(method)) throw new TypeError("The method is not a token");
  let head = `${method} ${wireTarget(target)} HTTP/1.1\r\n`;
  for (const [name, value] of headers) {
    const line = `${name}: ${value}`;
    if (!SAFE_LINE.test(line)) throw new TypeError(`The header "${name}" cannot be sent`);
    head += `${line}\r\n`;
  }
  checkLength(request);
  // One of the two, never both: RFC 9112 §6.2.
  if (bodyLength !== null) head += `content-length: ${bodyLength}\r\n`;
  else if (body !== null) head += "transfer-encoding: chunked\r\n";
  if (upgrade !== undefined) head += `connection: Upgrade\r\nupgrade: ${upgrade}\r\n`;
  return `${head}\r\n`;
}

/** What is announced and never sent, the upstream would take from the next request. */
function checkLength({ body, bodyLength }: UpstreamRequest): void {
  if (bodyLength === null) return;
  if (!Number.isSafeInteger(bodyLength) || bodyLength < 0) {
    throw new TypeError("The length of the body is no number of bytes");
  }
  if (body === null && bodyLength > 0) throw new TypeError("The body that is announced is missing");
}

/** The target as bytes in a latin1 string. */
function wireTarget(target: string): string {
  if (PLAIN_TARGET.test(target)) return target;
  if (target === "" || UNSAFE_IN_TARGET.test(target)) {
    throw new TypeError("The target is empty or has a space or control character");
  }
  return Buffer.from(target, "utf8").toString("latin1");
}
