/** A socket for tests that decides what one read gives and whether a write goes through. */
import { Buffer } from "node:buffer";
import type { Socket } from "../wire.ts";

export class FakeSocket implements Socket {
  /** Everything written, in latin1. */
  written = "";
  isClosed = false;
  /** Called for each write: gives how many bytes it takes (all by default), or fails it. */
  onWrite: () => number | void | Promise<void> = () => {};
  #arrived: (Uint8Array | null)[] = [];
  #reader:
    | { bytes: Uint8Array; resolve(count: number | null): void; reject(e: Error): void }
    | null = null;

  get isReading(): boolean {
    return this.#reader !== null;
  }

  /** One read gives these bytes, in latin1; null is the end. */
  arrive(piece: string | null): void {
    this.#arrived.push(piece === null ? null : Buffer.from(piece, "latin1"));
    this.#serve();
  }

  read(bytes: Uint8Array): Promise<number | null> {
    const { promise, resolve, reject } = Promise.withResolvers<number | null>();
    this.#reader = { bytes, resolve, reject };
    if (this.isClosed) reject(new Deno.errors.BadResource("closed"));
    else this.#serve();
    return promise;
  }

  async write(bytes: Uint8Array): Promise<number> {
    const count = await this.onWrite() ?? bytes.length;
    this.written += Buffer.from(bytes.subarray(0, count)).toString("latin1");
    return count;
  }

  close(): void {
    if (this.isClosed) throw new Deno.errors.BadResource("closed twice");
    this.isClosed = true;
    this.#reader?.reject(new Deno.errors.Interrupted("closed"));
  }

  #serve(): void {
    const piece = this.#arrived[0];
    if (this.#reader === null || piece === undefined) return;
    const { bytes, resolve } = this.#reader;
    this.#reader = null;
    if (piece === null) return resolve(null);
    const count = Math.min(piece.length, bytes.length);
    bytes.set(piece.subarray(0, count));
    if (count === piece.length) this.#arrived.shift();
    else this.#arrived[0] = piece.subarray(count);
    resolve(count);
  }
}
