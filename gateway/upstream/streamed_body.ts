/**
 * The body of an answer that did not arrive whole with its head: read from the
 * connection only when the client has taken what came before, and passed on as
 * soon as it is there.
 */
import type { BodyDecoder } from "./body_decoder.ts";
import { ProtocolError, type UpstreamFault } from "./faults.ts";

/** The connection, as a body sees it. */
export interface BodySource {
  /** Reads some bytes into `bytes`: their count, or null at the end of the connection. */
  read(bytes: Uint8Array): Promise<number | null>;
  /** So many bytes of content are passed on. */
  passed(count: number): void;
  /** The body is whole; `surplus` bytes came after it. */
  finished(surplus: number): void;
  /** The body will not become whole; gives what the stream fails with. */
  broken(error: unknown): UpstreamFault;
  /** Nobody wants the rest. */
  cancelled(): void;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Most bytes one read takes. */
const MAX_READ_BYTES = 65_536;

/**
 * The body as a stream that begins with `first` and goes on with what `source`
 * has. `scratch` is lent for reads of unknown size until the source is told the end.
 */
export function streamBody(
  first: Bytes,
  decoder: BodyDecoder,
  source: BodySource,
  scratch: Bytes,
): ReadableStream<Bytes> {
  return new ReadableStream<Bytes>({
    start(controller) {
      if (first.length > 0) controller.enqueue(first);
    },
    async pull(controller) {
      try {
        while (!await passOn(controller, decoder, source, scratch));
      } catch (error) {
        throw source.broken(error);
      }
    },
    cancel: () => source.cancelled(),
  }, { highWaterMark: 0 });
}

/** Passes on what one read gives; false when that was framing only. */
async function passOn(
  controller: ReadableStreamDefaultController<Bytes>,
  decoder: BodyDecoder,
  source: BodySource,
  scratch: Bytes,
): Promise<boolean> {
  const isLarge = decoder.expected > scratch.length;
  const buffer = isLarge ? new Uint8Array(Math.min(decoder.expected, MAX_READ_BYTES)) : scratch;
  const count = await source.read(buffer);
  if (count === null && !decoder.endsAtClose) throw new ProtocolError("is cut short");
  const length = count === null ? 0 : decoder.decode(buffer, 0, count);
  if (length > 0) {
    source.passed(length);
    // A copy of little keeps no large buffer alive; much is handed on as it is.
    const isFull = isLarge && length * 2 > buffer.length;
    controller.enqueue(isFull ? buffer.subarray(0, length) : buffer.slice(0, length));
  }
  const isWhole = count === null || decoder.done;
  if (isWhole) {
    controller.close();
    source.finished(decoder.surplus);
  }
  return length > 0 || isWhole;
}
