/**
 * Sends a request's body: takes from the client only as fast as the upstream
 * takes, and frames it as the head has announced.
 */
import { type BodyFault, BodyReader, unbounded } from "../exchange/body_reader.ts";
import type { Call } from "./call.ts";

/**
 * - `whole`: all of it was sent
 * - `stopped`: by `stop`
 * - `refused`: the upstream takes no more; it may have answered all the same
 * - `wrong length`: the client sent more or less than it had announced
 * - a `BodyFault`: no more comes from the client
 */
export type UploadEnd = "whole" | "stopped" | "refused" | "wrong length" | BodyFault;

const LAST_CHUNK = new TextEncoder().encode("0\r\n\r\n");

export class Upload {
  readonly #call: Call;
  readonly #body: BodyReader;
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  #stopped = false;

  /** `write` sends all of its bytes; it rejects when the upstream does not take them. */
  constructor(
    call: Call,
    body: ReadableStream<Uint8Array>,
    write: (bytes: Uint8Array) => Promise<void>,
  ) {
    this.#call = call;
    this.#body = new BodyReader(body, call.request.client?.body ?? unbounded);
    this.#write = write;
  }

  /** Sends until there is no more to send; never rejects. */
  async run(): Promise<UploadEnd> {
    const { bodyLength } = this.#call.request;
    for (;;) {
      const bytes = await this.#body.read();
      if (this.#stopped) return "stopped";
      if (bytes === null) break;
      this.#call.requestBytes += bytes.length;
      if (bodyLength !== null && this.#call.requestBytes > bodyLength) {
        this.stop();
        return "wrong length";
      }
      if (!await this.#sent(bodyLength === null ? chunkOf(bytes) : bytes)) return "refused";
      if (this.#call.requestBytes === bodyLength) {
        this.#body.complete();
        return "whole";
      }
    }
    if (this.#body.fault !== null) return this.#body.fault;
    if (bodyLength === null) return await this.#sent(LAST_CHUNK) ? "whole" : "refused";
    return "wrong length";
  }

  /** Takes no more from the client. */
  stop(): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#body.cancel();
  }

  async #sent(bytes: Uint8Array): Promise<boolean> {
    try {
      await this.#write(bytes);
      return true;
    } catch {
      this.stop();
      return false;
    }
  }
}

/** `content` as one chunk (RFC 9112 §7.1), in one piece: one write costs less than three. */
function chunkOf(content: Uint8Array): Uint8Array {
  const size = content.length.toString(16);
  const chunk = new Uint8Array(size.length + 2 + content.length + 2);
  for (let i = 0; i < size.length; i++) chunk[i] = size.charCodeAt(i);
  chunk.set(CRLF, size.length);
  chunk.set(content, size.length + 2);
  chunk.set(CRLF, size.length + 2 + content.length);
  return chunk;
}

const CRLF = Uint8Array.of(0x0d, 0x0a);
