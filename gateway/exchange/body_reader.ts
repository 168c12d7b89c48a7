/**
 * Reads a request's body from the client, within bounds: no more than so many bytes,
 * and no slower than so many in a while. A body that trickles would hold a connection
 * to a backend for as long as somebody likes.
 */
import { type DeadlineWatch, sharedWatch, type Waiting } from "../deadlines.ts";
import { type OpenBodies, openBodies, type OpenBody } from "./open_bodies.ts";

export interface BodyBounds {
  /** Most bytes; `Infinity` for any number. */
  readonly maxBytes: number;
  /** A period of waiting for the client, in ms; what else takes time is not held against it. */
  readonly period: number;
  /** Fewest bytes that each period must bring; at least 1. */
  readonly minBytes: number;
}

/** Whatever comes, however long it takes. */
export const unbounded: BodyBounds = { maxBytes: Infinity, period: Infinity, minBytes: 1 };

/**
 * Why the rest of a body does not come:
 *
 * - `client_aborted`: the client left, or its framing is broken
 * - `body_stalled`: it sends nothing or too little
 * - `body_too_large`: it sends more than is allowed
 * - `body_cut`: this server shut its socket down
 */
export type BodyFault = "client_aborted" | "body_stalled" | "body_too_large" | "body_cut";

export interface BodyReaderOptions {
  readonly watch?: DeadlineWatch;
  readonly open?: OpenBodies;
}

export class BodyReader implements Waiting, OpenBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #bounds: BodyBounds;
  readonly #watch: DeadlineWatch;
  readonly #open: OpenBodies;
  #bytes = 0;
  #fault: BodyFault | null = null;
  #isCut = false;
  #deadline = Infinity;
  /** Of the current period: ms left to wait, and bytes that have come. */
  #patience: number;
  #periodBytes = 0;

  constructor(
    body: ReadableStream<Uint8Array>,
    bounds: BodyBounds,
    { watch = sharedWatch, open = openBodies }: BodyReaderOptions = {},
  ) {
    this.#reader = body.getReader();
    this.#bounds = bounds;
    this.#watch = watch;
    this.#open = open;
    this.#patience = bounds.period;
    watch.add(this);
    open.add(this);
  }

  /** Why there is no more, when that is not the body's end. */
  get fault(): BodyFault | null {
    return this.#fault;
  }

  /** The next bytes, some at least; null at the end, or at a fault. Never rejects. */
  async read(): Promise<Uint8Array | null> {
    const began = this.#watch.now();
    this.#deadline = began + this.#patience;
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        if (value.length > 0) return this.#taken(value, began);
      }
    } catch {
      this.#fault ??= this.#isCut ? "body_cut" : "client_aborted";
    }
    this.#finish();
    return null;
  }

  /** Takes no more; the server takes the rest of the body in and drops it. */
  cancel(): void {
    this.#finish();
    // A body that failed before is of no interest: nobody waits for it any more.
    this.#reader.cancel().catch(() => {});
  }

  /** All of it has come; what the server still has to see is the end. */
  complete(): void {
    this.#finish();
    this.#reader.read().catch(() => {});
  }

  cut(): void {
    this.#isCut = true;
  }

  expire(now: number): void {
    if (now >= this.#deadline) this.#fail("body_stalled");
  }

  #taken(bytes: Uint8Array, began: number): Uint8Array | null {
    this.#deadline = Infinity;
    this.#bytes += bytes.length;
    if (this.#bytes > this.#bounds.maxBytes) {
      this.#fail("body_too_large");
      return null;
    }
    this.#periodBytes += bytes.length;
    if (this.#periodBytes >= this.#bounds.minBytes) {
      this.#periodBytes = 0;
      this.#patience = this.#bounds.period;
    } else this.#patience -= this.#watch.now() - began;
    return bytes;
  }

  #fail(fault: BodyFault): void {
    this.#fault ??= fault;
    this.cancel();
  }

  #finish(): void {
    this.#deadline = Infinity;
    this.#watch.delete(this);
    this.#open.delete(this);
  }
}

/** The body as a stream, which fails when there is a fault. */
export function streamOf(reader: BodyReader): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const bytes = await reader.read();
      if (bytes !== null) controller.enqueue(bytes);
      else if (reader.fault === null) controller.close();
      else controller.error(new Error(`the body broke off: ${reader.fault}`));
    },
    cancel: () => reader.cancel(),
  }, { highWaterMark: 0 });
}
