/**
 * Reads the head of an answer: finds its end in what has arrived, checks it
 * against the grammar as a whole, and takes out what concerns this connection.
 * Whatever two parsers could read differently is an error here.
 */
import type { HeaderField } from "../exchange/header_fields.ts";
import { ProtocolError } from "./faults.ts";
import { FIELD_CONTENT, FIELD_LINE } from "./grammar.ts";

/** Bytes of an answer's head, status line and final empty line included. */
export const MAX_HEAD_BYTES = 65_536;

export interface ResponseHead {
  readonly status: number;
  /**
   * Fields to pass on, names in lower case, in the order they came; repeated ones
   * stay apart. Without hop-by-hop fields; with Content-Length if there was one.
   */
  readonly headers: HeaderField[];
  readonly chunked: boolean;
  /** Bytes of body that were announced. */
  readonly contentLength: number | null;
  /** Whether the connection may carry another call afterwards (RFC 9112 §9.3). */
  readonly persistent: boolean;
  /** How long the server says it keeps an idle connection, in ms. */
  readonly idleLimit: number | null;
  /** The protocol that a 101 switches the connection to, in lower case (RFC 9110 §7.8). */
  readonly upgrade: string | null;
}

const CR = 0x0d;
const LF = 0x0a;

/** Finds where a head ends, over any number of reads, looking at each byte once. */
export class HeadScanner {
  /** Offsets from the start of the head. */
  #seen = 0;
  #line = 0;

  /**
   * Length in bytes of the head that starts at `start`, or 0 when its end has not
   * arrived by `end`. After a length, the next call begins a new head.
   *
   * @throws {ProtocolError} at a bare LF (RFC 9112 §2.2) and beyond `MAX_HEAD_BYTES`.
   */
  find(bytes: Uint8Array, start: number, end: number): number {
    for (let at = start + this.#seen; at < end; at++) {
      if (bytes[at] !== LF) continue;
      if (at === start || bytes[at - 1] !== CR) throw new ProtocolError("has a bare LF");
      const lineStart = start + this.#line;
      if (lineStart === at - 1) {
        this.#seen = this.#line = 0;
        return checked(at + 1 - start);
      }
      this.#line = at + 1 - start;
    }
    this.#seen = checked(end - start);
    return 0;
  }
}

function checked(length: number): number {
  if (length > MAX_HEAD_BYTES) throw new ProtocolError("has a head that is too large");
  return length;
}

/**
 * status-line *( field-line CRLF ) CRLF, RFC 9112 §2.1 and §4. The space before an
 * absent reason is optional: some servers leave it out, and nothing hangs on it.
 */
const HEAD = new RegExp(
  `^HTTP/1\\.([01]) ([1-5]\\d\\d)(?: ${FIELD_CONTENT})?\\r\\n(?:${FIELD_LINE})*\\r\\n$`,
);

/**
 * Parses a whole head, as `HeadScanner` cut it out, from a latin1 string.
 *
 * @throws {ProtocolError} for one that is malformed or whose framing is ambiguous.
 */
export function parseResponseHead(head: string): ResponseHead {
  const statusLine = HEAD.exec(head);
  if (statusLine === null) throw new ProtocolError("is malformed");
  const parsed = new ParsedHead(Number(statusLine[2]));
  for (let at = head.indexOf("\r\n") + 2; head.charCodeAt(at) !== CR;) {
    const colon = head.indexOf(":", at);
    const lineEnd = head.indexOf("\r\n", colon);
    parsed.add(head.slice(at, colon).toLowerCase(), withoutOuterSpace(head, colon + 1, lineEnd));
    at = lineEnd + 2;
  }
  parsed.complete(statusLine[1] === "0");
  return parsed;
}

/** A head while its fields are read, and the whole of it afterwards. */
class ParsedHead implements ResponseHead {
  headers: HeaderField[] = [];
  chunked = false;
  contentLength: number | null = null;
  persistent = false;
  idleLimit: number | null = null;
  upgrade: string | null = null;
  #connection = "";

  constructor(readonly status: number) {}

  add(name: string, value: string): void {
    switch (name) {
      case "content-length":
        // Even two equal ones: RFC 9112 §6.3 leaves the choice, and strict is safe.
        if (this.contentLength !== null) throw new ProtocolError("has two Content-Lengths");
        this.contentLength = parseLength(value);
        this.headers.push([name, value]);
        break;
      case "transfer-encoding":
        if (this.chunked || value.toLowerCase() !== "chunked") {
          throw new ProtocolError("has a Transfer-Encoding other than chunked");
        }
        this.chunked = true;
        break;
      case "connection":
        this.#connection = this.#connection === "" ? value : `${this.#connection},${value}`;
        break;
      case "keep-alive":
        this.idleLimit = parseIdleLimit(value);
        break;
      case "upgrade":
        this.upgrade = value.toLowerCase();
        break;
      // The rest that ends here: RFC 9110 §7.6.1; trailers are dropped, so is their list.
      case "proxy-authenticate":
      case "proxy-connection":
      case "te":
      case "trailer":
        break;
      default:
        this.headers.push([name, value]);
    }
  }

  /** Settles what the fields mean together, once all are there. */
  complete(isHttp10: boolean): void {
    if (this.chunked && this.contentLength !== null) {
      throw new ProtocolError("has both Content-Length and Transfer-Encoding"); // RFC 9112 §6.3
    }
    // RFC 9112 §6.1: a HTTP/1.0 server does not know chunked; its framing is faulty.
    if (this.chunked && isHttp10) throw new ProtocolError("has Transfer-Encoding in HTTP/1.0");
    const options = connectionOptions(this.#connection);
    this.persistent = !isHttp10 && !options.has("close");
    if (!options.has("upgrade")) this.upgrade = null;
    if (options.size > 0 || this.status === 204 || this.status === 205) {
      this.headers = this.headers.filter(([name]) =>
        !options.has(name) && !isMeaningless(name, this.status)
      );
    }
  }
}

/** 204 must not have a Content-Length (RFC 9110 §8.6), and that of 205 can only be 0 (§15.3.6). */
function isMeaningless(name: string, status: number): boolean {
  return (status === 204 || status === 205) && name === "content-length";
}

/** The part of `head` from `start` to `end` without white space around it (OWS). */
function withoutOuterSpace(head: string, start: number, end: number): string {
  while (start < end && isSpace(head.charCodeAt(start))) start++;
  while (end > start && isSpace(head.charCodeAt(end - 1))) end--;
  return head.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

/** Content-Length is 1*DIGIT, RFC 9110 §8.6; 15 digits are exact in a number. */
function parseLength(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new ProtocolError("has an invalid Content-Length");
  return Number(value);
}

/** Options of `Connection`, among them names of fields that end here too (RFC 9110 §7.6.1). */
function connectionOptions(value: string): ReadonlySet<string> {
  if (value === "" || value === "keep-alive") return NO_OPTIONS;
  return new Set(value.toLowerCase().split(",").map((option) => option.trim()));
}

const NO_OPTIONS: ReadonlySet<string> = new Set();

/** `Keep-Alive: timeout=5` (RFC 2068 §19.7.1.1), which many servers still send. */
function parseIdleLimit(value: string): number | null {
  const seconds = /(?:^|[\s,;])timeout=(\d{1,9})(?:$|[\s,;])/i.exec(value)?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}
