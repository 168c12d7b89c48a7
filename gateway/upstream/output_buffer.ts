/**
 * Where a connection puts the heads that it writes: memory of its own, so that a call
 * needs none.
 */
import { Buffer } from "node:buffer";

/** A larger head gets memory of its own. */
const BYTES = 8192;

const encoder = new TextEncoder();

export class OutputBuffer {
  readonly #bytes = new Uint8Array(BYTES);

  /** The bytes of a head, a latin1 string; good until the next call. */
  encode(head: string): Uint8Array {
    // `encodeInto` makes UTF-8, which is the same for ASCII, and costs least.
    const { read, written } = encoder.encodeInto(head, this.#bytes);
    const isWhole = read === head.length && written === read;
    return isWhole ? this.#bytes.subarray(0, written) : Buffer.from(head, "latin1");
  }
}
