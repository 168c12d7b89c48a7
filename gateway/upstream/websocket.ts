/**
 * A WebSocket to an upstream, as its client: messages both ways over a connection that
 * has switched protocols. What is sent is queued; what comes is read when asked for,
 * so that a server is held back by who reads slowly.
 *
 * It answers pings, and sends one of its own into a long silence: a server that does
 * not show within the read time-out that it is there is given up. How long a WebSocket
 * may last is not limited.
 */
import { Buffer } from "node:buffer";
import type { Waiting } from "../deadlines.ts";
import type { Tunnel } from "./tunnel.ts";
import {
  type BINARY,
  clientFrame,
  CLOSE,
  closeContent,
  type Closing,
  type Opcode,
  PING,
  PONG,
  type TEXT,
} from "./websocket_frame.ts";
import { type Received, WebSocketError, WebSocketReader } from "./websocket_reader.ts";

export type Message = Extract<Received, { kind: "text" | "binary" }>;
type Close = Extract<Received, { kind: "close" }>;

/** How long the server may take to close after us, in ms. */
const CLOSE_LIMIT = 5000;
/** Frames go out together up to this many bytes: a write costs more than small ones do. */
const WRITE_BYTES = 65_536;
/** Bytes of memory that a frame takes while it waits, besides its own. */
const FRAME_COST = 256;

export interface WebSocketOptions {
  /** Most bytes of a message from the server. */
  readonly messageLimit: number;
  /** Called when there is less in the queue. */
  readonly onTaken: () => void;
}

export class UpstreamWebSocket implements Waiting {
  readonly #tunnel: Tunnel;
  readonly #reader: WebSocketReader;
  readonly #onTaken: () => void;
  readonly #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  /** The answer to the latest ping; earlier ones need none (RFC 6455 §5.5.3). */
  #pong: Uint8Array | null = null;
  #isWriting = false;
  /** Whether the last frame was queued, or none can be sent any more. */
  #isSealed = false;
  /** Whether the connection is to be closed as soon as all is written. */
  #isEnding = false;
  /** When a server that says nothing is asked whether it is there; ms of the watch's clock. */
  #pingDue = Infinity;
  /** When a server that was asked to close is given up. */
  #closeDue = Infinity;

  constructor(tunnel: Tunnel, { messageLimit, onTaken }: WebSocketOptions) {
    this.#tunnel = tunnel;
    this.#reader = new WebSocketReader(messageLimit, tunnel.first);
    this.#onTaken = onTaken;
    tunnel.watch.add(this);
  }

  /** Memory, in bytes, of what the server has not taken yet. */
  get queuedBytes(): number {
    return this.#queuedBytes + this.#queue.length * FRAME_COST;
  }

  /** Queues a message, text in UTF-8; does nothing after a close. */
  send(opcode: typeof TEXT | typeof BINARY, content: Uint8Array): void {
    this.#enqueue(opcode, content);
  }

  /**
   * Queues the last frame. The server has some seconds to close as well, in which
   * `receive` is to be called on. Does nothing after the first time.
   */
  close(closing: Closing): void {
    this.#enqueue(CLOSE, closeContent(closing));
    this.#isSealed = true;
  }

  /** Closes the connection at once and without a word: what is queued is lost. */
  abort(): void {
    this.#isSealed = true;
    this.#tunnel.watch.delete(this);
    this.#tunnel.close();
  }

  /**
   * The next message; or how the server closes, which is answered; or null when it has
   * gone without. After a message, it is to be called again when that one has been used.
   *
   * @throws {UpstreamFault | WebSocketError} the WebSocket is closed then
   */
  async receive(): Promise<Message | Close | null> {
    try {
      for (;;) {
        const received = this.#reader.next();
        if (received === null) {
          if (await this.#read()) continue;
          this.abort();
          return null;
        }
        if (received.kind === "ping") this.#answer(received.content);
        if (received.kind === "close") this.#end(received.closing);
        if (received.kind !== "ping" && received.kind !== "pong") return received;
      }
    } catch (error) {
      if (error instanceof WebSocketError) this.#end({ code: error.code, reason: "" });
      else this.abort();
      throw error;
    }
  }

  expire(now: number): void {
    if (now >= this.#closeDue) return this.abort();
    if (now < this.#pingDue) return;
    this.#pingDue = Infinity;
    this.#enqueue(PING, new Uint8Array());
  }

  /** False at the end of the connection. */
  async #read(): Promise<boolean> {
    const { buffer, timeouts, watch } = this.#tunnel;
    this.#pingDue = watch.now() + timeouts.read / 2;
    const count = await this.#tunnel.read(buffer);
    this.#pingDue = Infinity;
    if (count === null) return false;
    this.#reader.add(buffer.subarray(0, count));
    return true;
  }

  #answer(ping: Uint8Array): void {
    if (this.#isSealed) return;
    const pong = clientFrame(PONG, ping);
    this.#queuedBytes += pong.length - (this.#pong?.length ?? 0);
    this.#pong = pong;
    this.#startWriting();
  }

  /** Says the last word, and nothing more is read. */
  #end(closing: Closing): void {
    this.#isEnding = true;
    this.close(closing);
    if (!this.#isWriting) this.abort();
  }

  #enqueue(opcode: Opcode, content: Uint8Array): void {
    if (this.#isSealed) return;
    const frame = clientFrame(opcode, content);
    this.#queue.push(frame);
    this.#queuedBytes += frame.length;
    this.#startWriting();
  }

  #startWriting(): void {
    if (!this.#isWriting) void this.#write();
  }

  /** Writes until there is nothing to write; never rejects. */
  async #write(): Promise<void> {
    this.#isWriting = true;
    try {
      for (let bytes = this.#next(); bytes !== null; bytes = this.#next()) {
        await this.#tunnel.write(bytes);
        this.#queuedBytes -= bytes.length;
        this.#onTaken();
      }
    } catch {
      this.#drop(); // whoever receives is told why
    }
    this.#isWriting = false;
    if (this.#isEnding) this.abort();
    else if (this.#isSealed) this.#closeDue = this.#tunnel.watch.now() + CLOSE_LIMIT;
  }

  /** What goes out next, in one write; null when there is nothing. */
  #next(): Uint8Array | null {
    if (this.#pong !== null) {
      const pong = this.#pong;
      this.#pong = null;
      return pong;
    }
    let count = 0;
    let size = 0;
    for (const { length } of this.#queue) {
      if (count > 0 && size + length > WRITE_BYTES) break;
      count++;
      size += length;
    }
    if (count === 0) return null;
    const frames = this.#queue.splice(0, count);
    return count === 1 ? frames[0]! : Buffer.concat(frames, size);
  }

  #drop(): void {
    this.#isSealed = true;
    this.#queue.length = 0;
    this.#queuedBytes = 0;
    this.#onTaken();
  }
}
