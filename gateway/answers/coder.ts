/**
 * Compresses and decompresses bodies of answers. One that is there is done at once;
 * one that is still arriving piece by piece, so that whoever reads a slow stream gets
 * each piece as soon as it came, and no more is held than one piece and a buffer.
 */
import type { Transform } from "node:stream";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGunzip,
  createGzip,
  gunzipSync,
  gzipSync,
} from "node:zlib";
import type { Recoding } from "./body_coding.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** At these levels a compressed answer costs about as much as its transport. */
const GZIP_LEVEL = 2;
const BROTLI_QUALITY = 2;
/** Of a stream's brotli window, base 2: 256 KiB, as many may be open. */
const BROTLI_WINDOW = 18;

/** What a whole body may become when it is decompressed at once, in bytes. */
export const GUNZIPPED_MAX = 1_048_576;

/**
 * The whole of a body, recoded; null if it would become so large that only a stream
 * should carry it.
 *
 * @throws {Error} for a body that is not in gzip though it should be
 */
export function recodeWhole(body: Bytes, recoding: Recoding): Bytes | null {
  switch (recoding) {
    case "gzip":
      return ownBytes(gzipSync(body, { level: GZIP_LEVEL }));
    case "br":
      return ownBytes(brotliCompressSync(body, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      }));
    case "gunzip":
      return gunzipWhole(body);
  }
}

function gunzipWhole(body: Bytes): Bytes | null {
  try {
    return ownBytes(gunzipSync(body, { maxOutputLength: GUNZIPPED_MAX }));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") {
      return null;
    }
    throw error;
  }
}

/** Node's types do not say that nobody shares the memory. */
function ownBytes(bytes: Uint8Array): Bytes {
  return bytes as Bytes;
}

const coders: Record<Recoding, () => Transform> = {
  gzip: () => createGzip({ level: GZIP_LEVEL, flush: constants.Z_SYNC_FLUSH }),
  br: () =>
    createBrotliCompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW,
      },
    }),
  gunzip: () => createGunzip(),
};

/** What happens to a recoded stream. */
export interface StreamEvents {
  /** So many bytes were given to whoever reads it. */
  passed(count: number): void;
  /** It is over, which is told once: read to its end (`complete`), or failed or cancelled. */
  ended(how: "complete" | "aborted"): void;
}

/**
 * The recoded `body`. It fails if `body` does, or if that is not in gzip though it
 * should be; cancelling it cancels `body`.
 */
export function recodeStream(
  body: ReadableStream<Bytes>,
  recoding: Recoding,
  events: StreamEvents,
): ReadableStream<Bytes> {
  const coder = coders[recoding]();
  const reader = body.getReader();
  const pieces = coder[Symbol.asyncIterator]();
  let isOver = false;
  const end = (how: "complete" | "aborted") => {
    if (!isOver) events.ended(how);
    isOver = true;
  };
  const stop = async (reason: unknown) => {
    coder.destroy();
    end("aborted");
    await reader.cancel(reason);
  };
  let isFed = false;
  return new ReadableStream<Bytes>({
    async pull(controller) {
      if (!isFed) feed(coder, reader);
      isFed = true;
      try {
        const { done, value } = await pieces.next();
        if (done) {
          controller.close();
          return end("complete");
        }
        events.passed(value.length);
        controller.enqueue(value);
      } catch (error) {
        await stop(error);
        throw error;
      }
    },
    cancel: stop,
  }, { highWaterMark: 0 });
}

/** Has the coder take in the body, a piece when it has dealt with the one before. */
async function feed(coder: Transform, reader: ReadableStreamDefaultReader<Bytes>): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      await written(coder, value);
    }
    coder.end();
  } catch (error) {
    coder.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function written(coder: Transform, piece: Bytes): Promise<void> {
  return new Promise((resolve, reject) => {
    coder.write(piece, (error) => error ? reject(error) : resolve());
  });
}
