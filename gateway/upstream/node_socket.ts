/**
 * A socket of `node:net` or `node:tls`, read and written as a `Deno.Conn` is: for
 * the TLS that Deno's own does not offer.
 */
import type { Socket as NodeStream } from "node:net";
import type { Socket } from "./wire.ts";

/** Most bytes one write hands over: how finely a slow upstream's progress is seen. */
const MAX_WRITE_BYTES = 65_536;

export class NodeSocket implements Socket {
  readonly #stream: NodeStream;
  /** Resolves the read that waits for something to happen. */
  #wake: (() => void) | null = null;
  #error: Error | null = null;

  /** Takes over `stream`, which must not be flowing. */
  constructor(stream: NodeStream) {
    this.#stream = stream;
    const wake = () => this.#wake?.();
    stream.on("readable", wake).on("end", wake).on("close", wake);
    stream.on("error", (error) => this.#error = error);
  }

  async read(bytes: Uint8Array): Promise<number | null> {
    const stream = this.#stream;
    for (;;) {
      const size = Math.min(stream.readableLength, bytes.length);
      const chunk: Uint8Array | null = stream.read(size === 0 ? undefined : size);
      if (chunk !== null) {
        bytes.set(chunk);
        return chunk.length;
      }
      if (stream.readableEnded) return null;
      if (stream.destroyed) throw this.#error ?? new Deno.errors.Interrupted("closed");
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  write(bytes: Uint8Array): Promise<number> {
    const piece = bytes.length > MAX_WRITE_BYTES ? bytes.subarray(0, MAX_WRITE_BYTES) : bytes;
    return new Promise((resolve, reject) => {
      this.#stream.write(piece, (error) => error ? reject(error) : resolve(piece.length));
    });
  }

  close(): void {
    this.#stream.destroy();
  }
}
