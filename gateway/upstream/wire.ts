/**
 * A socket to an upstream whose waits end: bytes that are due by a deadline, and
 * writes that must make progress.
 */
import type { DeadlineWatch, Waiting } from "../deadlines.ts";

/** The part of a `Deno.Conn` that carrying calls needs. */
export type Socket = Pick<Deno.Conn, "read" | "write" | "close">;

export interface WireOptions {
  readonly watch: DeadlineWatch;
  /** The other side was silent for too long, or took no bytes for too long. */
  readonly onExpire: (direction: "read" | "send") => void;
  /** Told at every sweep of the watch. */
  readonly onSweep: () => void;
}

export class Wire implements Waiting {
  readonly #socket: Socket;
  readonly #options: WireOptions;
  #readDeadline = Infinity;
  #sendDeadline = Infinity;
  #isClosed = false;

  /** Takes over `socket`, connected and handshaken. */
  constructor(socket: Socket, options: WireOptions) {
    this.#socket = socket;
    this.#options = options;
    options.watch.add(this);
  }

  /** Longest gap between bytes written, in ms. */
  sendLimit = Infinity;
  /** Bytes that a write has taken, ever. */
  bytesWritten = 0;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Something must be read within `limit` ms from now. */
  expectBytes(limit: number): void {
    this.#readDeadline = this.#options.watch.now() + limit;
  }

  expectNothing(): void {
    this.#readDeadline = Infinity;
  }

  /** Reads some bytes into `bytes`: their count, or null at the end. */
  read(bytes: Uint8Array): Promise<number | null> {
    return this.#socket.read(bytes);
  }

  /** Writes all of `bytes`. */
  async write(bytes: Uint8Array): Promise<void> {
    const { watch } = this.#options;
    try {
      for (let sent = 0; sent < bytes.length;) {
        this.#sendDeadline = watch.now() + this.sendLimit;
        const count = await this.#socket.write(sent === 0 ? bytes : bytes.subarray(sent));
        sent += count;
        this.bytesWritten += count;
      }
    } finally {
      this.#sendDeadline = Infinity;
    }
  }

  /** Ends every read and write. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#options.watch.delete(this);
    this.#socket.close();
  }

  expire(now: number): void {
    this.#options.onSweep();
    if (now >= this.#readDeadline) this.#options.onExpire("read");
    else if (now >= this.#sendDeadline) this.#options.onExpire("send");
  }
}
