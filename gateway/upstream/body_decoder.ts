/**
 * Takes the framing off an answer's body (RFC 9112 §6): a length, chunks, or the
 * end of the connection. Works in place on the bytes that were read, and says
 * when the body is whole.
 */
import { ChunkedDecoder } from "./chunked_decoder.ts";
import type { ResponseHead } from "./response_head.ts";

export interface BodyDecoder {
  /** Whether the last byte of the body has been seen. */
  readonly done: boolean;
  /** Whether the end of the connection is the regular end of the body. */
  readonly endsAtClose: boolean;
  /** Bytes known to come next, to size a read by; 0 when unknown. */
  readonly expected: number;
  /** Bytes beyond the body's end that the last `decode` was given. */
  readonly surplus: number;
  /**
   * Takes in the bytes from `start` to `end`, moves what is content to the front
   * and gives its length: afterwards it stands at `start` to `start + length`.
   *
   * @throws {ProtocolError} when the framing is broken.
   */
  decode(bytes: Uint8Array, start: number, end: number): number;
}

/**
 * How the body after `head` is framed; null when there is none, whatever the
 * fields say: RFC 9112 §6.3 for HEAD, 204 and 304, RFC 9110 §15.3.6 for 205.
 */
export function bodyDecoder(method: string, head: ResponseHead): BodyDecoder | null {
  const { status } = head;
  if (method === "HEAD" || status === 204 || status === 205 || status === 304) return null;
  if (head.chunked) return new ChunkedDecoder();
  if (head.contentLength !== null) return new LengthDecoder(head.contentLength);
  return new UntilCloseDecoder();
}

/** A body of as many bytes as Content-Length said. */
class LengthDecoder implements BodyDecoder {
  readonly endsAtClose = false;
  surplus = 0;
  expected: number;

  constructor(length: number) {
    this.expected = length;
  }

  get done(): boolean {
    return this.expected === 0;
  }

  decode(_bytes: Uint8Array, start: number, end: number): number {
    const length = Math.min(end - start, this.expected);
    this.expected -= length;
    this.surplus = end - start - length;
    return length;
  }
}

/** A body that lasts as long as its connection (HTTP/1.0, or neither field in HTTP/1.1). */
class UntilCloseDecoder implements BodyDecoder {
  readonly done = false;
  readonly endsAtClose = true;
  readonly expected = 0;
  readonly surplus = 0;

  decode(_bytes: Uint8Array, start: number, end: number): number {
    return end - start;
  }
}
