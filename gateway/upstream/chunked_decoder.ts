/**
 * Decodes the chunked transfer coding (RFC 9112 §7.1), however its bytes were cut
 * into reads. Extensions are ignored (§7.1.1) and trailers dropped (§7.1.2), but
 * both have to be well-formed.
 */
import type { BodyDecoder } from "./body_decoder.ts";
import { ProtocolError } from "./faults.ts";
import { FIELD_LINE } from "./grammar.ts";
import { MAX_HEAD_BYTES } from "./response_head.ts";

/** Hexadecimal digits of a chunk's size; 13 of them are exact in a number. */
const MAX_SIZE_DIGITS = 13;
/** Bytes of one chunk's extensions. */
const MAX_EXTENSION_BYTES = 4096;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const SEMICOLON = 0x3b;
const DELETE = 0x7f;

const TRAILERS = new RegExp(`^(?:${FIELD_LINE})*\\r\\n$`);

/** What the next byte belongs to. */
type State =
  | "size"
  | "space before extension"
  | "extension"
  | "size LF"
  | "data"
  | "data CR"
  | "data LF"
  | "trailers"
  | "end";

export class ChunkedDecoder implements BodyDecoder {
  readonly endsAtClose = false;
  surplus = 0;
  #state: State = "size";
  /** Bytes of the current chunk: its size while that is read, then what is left of it. */
  #left = 0;
  #digits = 0;
  #extensionBytes = 0;
  #trailers = "";

  get done(): boolean {
    return this.#state === "end";
  }

  get expected(): number {
    return this.#state === "data" ? this.#left : 0;
  }

  decode(bytes: Uint8Array, start: number, end: number): number {
    let written = start;
    let at = start;
    while (at < end && this.#state !== "end") {
      if (this.#state === "data") {
        const length = Math.min(this.#left, end - at);
        if (written !== at) bytes.copyWithin(written, at, at + length);
        written += length;
        at += length;
        this.#left -= length;
        if (this.#left === 0) this.#state = "data CR";
      } else {
        this.#state = this.#next(bytes[at]!); // `at` is below `end`
        at++;
      }
    }
    this.surplus = end - at;
    return written - start;
  }

  /** Takes one byte of framing and gives the state after it. */
  #next(byte: number): State {
    switch (this.#state) {
      case "size":
        return this.#size(byte);
      case "space before extension":
      case "extension":
        return this.#extension(byte);
      case "size LF":
        return this.#afterSizeLine(byte);
      case "data CR":
        if (byte !== CR) throw new ProtocolError("has a chunk longer than its size");
        return "data LF";
      case "data LF":
        if (byte !== LF) throw new ProtocolError("has a chunk not ended by CRLF");
        return "size";
      case "trailers":
        return this.#trailer(byte);
      case "data":
      case "end":
        throw new Error(`no framing in "${this.#state}"`);
    }
  }

  #size(byte: number): State {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      if (++this.#digits > MAX_SIZE_DIGITS) throw new ProtocolError("has a chunk size too large");
      this.#left = this.#left * 16 + digit;
      return "size";
    }
    if (this.#digits === 0) throw new ProtocolError("has a chunk without a size");
    return this.#extension(byte);
  }

  /** After the size: chunk-ext = *( BWS ";" … ), of which the content does not matter. */
  #extension(byte: number): State {
    if (byte === CR && this.#state !== "space before extension") return "size LF";
    if (++this.#extensionBytes > MAX_EXTENSION_BYTES) {
      throw new ProtocolError("has a chunk extension that is too large");
    }
    const isSpace = byte === SPACE || byte === TAB;
    if (this.#state !== "extension") {
      if (byte === SEMICOLON) return "extension";
      if (isSpace) return "space before extension";
    } else if (isSpace || (byte > SPACE && byte !== DELETE)) return "extension";
    throw new ProtocolError("has an invalid chunk size line");
  }

  #afterSizeLine(byte: number): State {
    if (byte !== LF) throw new ProtocolError("has a chunk size line not ended by CRLF");
    this.#digits = this.#extensionBytes = 0;
    return this.#left === 0 ? "trailers" : "data";
  }

  #trailer(byte: number): State {
    this.#trailers += String.fromCharCode(byte);
    const { length } = this.#trailers;
    if (length > MAX_HEAD_BYTES) throw new ProtocolError("has trailers that are too large");
    if (byte !== LF) return "trailers";
    if (!this.#trailers.endsWith("\r\n")) throw new ProtocolError("has a bare LF");
    if (length > 2 && !this.#trailers.endsWith("\r\n\r\n")) return "trailers";
    if (!TRAILERS.test(this.#trailers)) throw new ProtocolError("has malformed trailers");
    return "end";
  }
}

/** Value of a hexadecimal digit, or -1. */
function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
