/**
 * The body of an answer that the client gets in another coding than the backend sent
 * it in, and how far that is: who counts and ends the call asks here.
 */
import type { CallOutcome, UpstreamCall, UpstreamResponse } from "../upstream/call.ts";
import type { Recoding } from "./body_coding.ts";
import { recodeStream, recodeWhole } from "./coder.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A body that is larger would hold up other calls if it were recoded at once; in bytes. */
const WHOLE_MAX = 65_536;

/**
 * What bodies have become that were recoded: one that is kept in the
 * cache comes again and again.
 */
const recodedBefore = new WeakMap<Bytes, Map<Recoding, Bytes>>();

export class RecodedBody {
  readonly body: Bytes | ReadableStream<Bytes>;
  /** Bytes given to the client so far. */
  responseBytes = 0;
  outcome: CallOutcome = "running";
  #onEnd: (() => void) | null = null;

  /** @throws {Error} for a whole body that is not in gzip though it should be */
  constructor(body: NonNullable<UpstreamResponse["body"]>, recoding: Recoding) {
    this.body = body instanceof ReadableStream
      ? this.#stream(body, recoding)
      : this.#whole(body, recoding) ?? this.#stream(streamOf(body), recoding);
  }

  /** Null for what should not be recoded at once. */
  #whole(body: Bytes, recoding: Recoding): Bytes | null {
    const recoded = body.length > WHOLE_MAX ? null : recodedOnce(body, recoding);
    if (recoded === null) return null;
    this.responseBytes = recoded.length;
    this.outcome = "complete";
    return recoded;
  }

  #stream(body: ReadableStream<Bytes>, recoding: Recoding): ReadableStream<Bytes> {
    return recodeStream(body, recoding, {
      passed: (count) => this.responseBytes += count,
      ended: (how) => this.#end(how),
    });
  }

  #end(how: "complete" | "aborted"): void {
    if (this.outcome !== "running") return;
    this.outcome = how;
    this.#onEnd?.();
  }

  /**
   * Has `end` called, once, when the client has the last byte or will never have it.
   * Gives what is to be called when the upstream's part of the call is over.
   */
  endOf(call: Pick<UpstreamCall, "outcome">, end: () => void): () => void {
    if (this.outcome !== "running") return end;
    this.#onEnd = end;
    return () => {
      if (call.outcome === "aborted") this.#end("aborted");
    };
  }
}

function recodedOnce(body: Bytes, recoding: Recoding): Bytes | null {
  const known = recodedBefore.get(body)?.get(recoding);
  if (known !== undefined) return known;
  const recoded = recodeWhole(body, recoding);
  if (recoded === null) return null;
  const others = recodedBefore.get(body);
  if (others === undefined) recodedBefore.set(body, new Map([[recoding, recoded]]));
  else others.set(recoding, recoded);
  return recoded;
}

function streamOf(body: Bytes): ReadableStream<Bytes> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(body);
      controller.close();
    },
  });
}
