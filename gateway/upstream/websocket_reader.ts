/**
 * Reads what a WebSocket's server sends (RFC 6455 §5): takes frames apart, puts
 * messages together, and refuses whatever breaks the rules. Pure: bytes in, messages out.
 */
import {
  BINARY,
  CLOSE,
  type Closing,
  CONTINUATION,
  isCloseCode,
  MAX_CONTROL_BYTES,
  PING,
  PONG,
  TEXT,
} from "./websocket_frame.ts";

export type Received =
  | { readonly kind: "text"; readonly text: string; readonly size: number }
  /** The bytes are good until the next call: they may lie where the next read goes to. */
  | { readonly kind: "binary"; readonly bytes: Uint8Array<ArrayBuffer>; readonly size: number }
  | { readonly kind: "ping"; readonly content: Uint8Array<ArrayBuffer> }
  | { readonly kind: "pong" }
  | { readonly kind: "close"; readonly closing: Closing };

/** What came breaks the protocol, or a limit of ours. */
export class WebSocketError extends Error {
  override readonly name = "WebSocketError";
  /** The code to close with (RFC 6455 §7.4.1). */
  readonly code: 1002 | 1007 | 1009;

  constructor(code: 1002 | 1007 | 1009, message: string) {
    super(message);
    this.code = code;
  }
}

interface Frame {
  readonly opcode: number;
  readonly isFinal: boolean;
  /** Bytes of content that have not been taken yet. */
  left: number;
  readonly content: Content;
}

/** The content of a message or control frame, as far as it has come. */
class Content {
  /** Grows by doubling: as many fragments as bytes must not cost more than the bytes. */
  #bytes = EMPTY;
  size = 0;

  /** @param part is kept as it is if it is all there will be, else copied */
  add(part: Uint8Array<ArrayBuffer>, isAll: boolean): void {
    const size = this.size + part.length;
    if (isAll) this.#bytes = part;
    else {
      if (size > this.#bytes.length) this.#grow(size);
      this.#bytes.set(part, this.size);
    }
    this.size = size;
  }

  whole(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.size);
  }

  #grow(size: number): void {
    const larger = new Uint8Array(Math.max(size, 2 * this.#bytes.length));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

const EMPTY = new Uint8Array();
const MAX_HEADER_BYTES = 10;

export class WebSocketReader {
  readonly #messageLimit: number;
  #bytes: Uint8Array<ArrayBuffer>;
  #at = 0;
  /** A frame's header of which the end has not come. */
  readonly #header = new Uint8Array(MAX_HEADER_BYTES);
  #headerLength = 0;
  /** The frame whose content is being taken. */
  #frame: Frame | null = null;
  /** The message that has begun, of whatever number of frames; control frames come in between. */
  #message: { readonly opcode: number; readonly content: Content } | null = null;

  /**
   * @param messageLimit most bytes of a message
   * @param first what has come already
   */
  constructor(messageLimit: number, first: Uint8Array<ArrayBuffer>) {
    this.#messageLimit = messageLimit;
    this.#bytes = first;
  }

  /** Takes in bytes that have come; to be called when `next` has given null. */
  add(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#at = 0;
  }

  /**
   * What came next, or null when its end has not come.
   *
   * @throws {WebSocketError}
   */
  next(): Received | null {
    for (;;) {
      this.#frame ??= this.#nextFrame();
      if (this.#frame === null) return null;
      if (!this.#takeContent(this.#frame)) return null;
      const { opcode, isFinal, content } = this.#frame;
      this.#frame = null;
      if (opcode >= CLOSE) return control(opcode, content);
      if (isFinal) return this.#takeMessage();
    }
  }

  /** Whether all of the frame's content has come. */
  #takeContent(frame: Frame): boolean {
    const part = this.#bytes.subarray(this.#at, this.#at + frame.left);
    const isAll = frame.isFinal && frame.content.size === 0 && part.length === frame.left;
    frame.content.add(part, isAll);
    this.#at += part.length;
    frame.left -= part.length;
    return frame.left === 0;
  }

  #takeMessage(): Received {
    const { opcode, content } = this.#message!; // begun by the frame that has come to its end
    this.#message = null;
    const { size } = content;
    return opcode === TEXT
      ? { kind: "text", text: decoded(content.whole()), size }
      : { kind: "binary", bytes: content.whole(), size };
  }

  #nextFrame(): Frame | null {
    const header = this.#nextHeader();
    if (header === null) return null;
    const first = header[0]!; // two bytes are there at least
    const second = header[1]!;
    const isFinal = (first & 0x80) !== 0;
    if ((first & 0x70) !== 0) throw new WebSocketError(1002, "sets reserved bits"); // no extension
    if ((second & 0x80) !== 0) throw new WebSocketError(1002, "masks a frame"); // §5.1
    const opcode = first & 0x0f;
    const left = lengthOf(header);
    if (opcode >= CLOSE) checkControl(opcode, isFinal, left);
    const content = opcode >= CLOSE ? new Content() : this.#messageContent(opcode, left);
    return { opcode, isFinal, left, content };
  }

  /** Where the content of a frame of a message belongs. */
  #messageContent(opcode: number, length: number): Content {
    if (opcode > BINARY) throw unknownOpcode(opcode);
    if ((opcode === CONTINUATION) !== (this.#message !== null)) {
      throw new WebSocketError(1002, "begins a message in another, or goes on with none"); // §5.4
    }
    this.#message ??= { opcode, content: new Content() };
    const { content } = this.#message;
    if (content.size + length > this.#messageLimit) {
      const limit = `${this.#messageLimit / 1_048_576} MiB`;
      throw new WebSocketError(1009, `sends a message of more than ${limit}`);
    }
    return content;
  }

  /** The whole header of the next frame, or null when its end has not come. */
  #nextHeader(): Uint8Array | null {
    for (;;) {
      const wanted = headerLength(this.#header, this.#headerLength);
      const missing = wanted - this.#headerLength;
      const part = this.#bytes.subarray(this.#at, this.#at + missing);
      this.#header.set(part, this.#headerLength);
      this.#headerLength += part.length;
      this.#at += part.length;
      if (part.length < missing) return null;
      if (missing > 0) continue; // what has come may say that there is more
      this.#headerLength = 0;
      return this.#header.subarray(0, wanted);
    }
  }
}

/** Bytes of a header as far as its first `known` tell. */
function headerLength(header: Uint8Array, known: number): number {
  if (known < 2) return 2;
  const short = header[1]! & 0x7f; // known
  return short === 127 ? 10 : short === 126 ? 4 : 2;
}

/** Bytes of content that a header announces; more than fits in a number is beyond any limit. */
function lengthOf(header: Uint8Array): number {
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  if (header.length === 10) return Number(view.getBigUint64(2));
  if (header.length === 4) return view.getUint16(2);
  return view.getUint8(1) & 0x7f;
}

/** §5.5 */
function checkControl(opcode: number, isFinal: boolean, length: number): void {
  if (opcode > PONG) throw unknownOpcode(opcode);
  if (!isFinal) throw new WebSocketError(1002, "sends a control frame in fragments");
  if (length > MAX_CONTROL_BYTES) throw new WebSocketError(1002, "sends a large control frame");
}

function unknownOpcode(opcode: number): WebSocketError {
  return new WebSocketError(1002, `sends a frame with the reserved opcode ${opcode}`);
}

function control(opcode: number, content: Content): Received {
  const bytes = content.whole();
  if (opcode === PING) return { kind: "ping", content: bytes };
  if (opcode === PONG) return { kind: "pong" };
  return { kind: "close", closing: closingOf(bytes) };
}

/** §5.5.1 and §7.4 */
function closingOf(content: Uint8Array<ArrayBuffer>): Closing {
  if (content.length === 0) return { code: null, reason: "" };
  if (content.length === 1) throw new WebSocketError(1002, "closes with half a code");
  const code = new DataView(content.buffer, content.byteOffset).getUint16(0);
  if (!isCloseCode(code)) throw new WebSocketError(1002, `closes with the code ${code}`);
  return { code, reason: decoded(content.subarray(2)) };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array<ArrayBuffer>): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new WebSocketError(1007, "sends text that is no UTF-8");
  }
}
