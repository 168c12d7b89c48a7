/** Passes a body on as it comes, and keeps a copy of it to store. */
import type { Room } from "./room.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface CopyBounds {
  /** Of one copy. */
  readonly maxBytes: number;
  /** For all at one time. */
  readonly room: Room;
}

/**
 * The body, no slower than it comes. `done` is told once: the whole of it, right before
 * its end is passed on; or null as soon as it will not be whole, or is out of `bounds`.
 * @param length bytes that were announced; null if none were
 */
export function tee(
  body: ReadableStream<Bytes>,
  length: number | null,
  bounds: CopyBounds,
  done: (whole: Bytes | null) => void,
): ReadableStream<Bytes> {
  const reader = body.getReader();
  const copy = new Copy(length, bounds, done);
  return new ReadableStream<Bytes>({
    async pull(controller) {
      try {
        const { value } = await reader.read();
        if (value === undefined) {
          copy.complete();
          controller.close();
          return;
        }
        copy.add(value);
        controller.enqueue(value);
      } catch (error) {
        copy.drop();
        throw error;
      }
    },
    async cancel(reason) {
      copy.drop();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}

/** What has come so far, until it is whole or given up. */
class Copy {
  readonly #length: number | null;
  readonly #bounds: CopyBounds;
  readonly #done: (whole: Bytes | null) => void;
  /** Null once it was told. */
  #parts: Bytes[] | null = [];
  #bytes = 0;

  constructor(
    length: number | null,
    bounds: CopyBounds,
    done: (whole: Bytes | null) => void,
  ) {
    this.#length = length;
    this.#bounds = bounds;
    this.#done = done;
  }

  /** Whoever knows the length takes the last byte for the end: it is stored by then. */
  add(part: Bytes): void {
    if (this.#parts === null) return;
    const { maxBytes, room } = this.#bounds;
    if (this.#bytes + part.length > maxBytes || !room.take(part.length)) {
      this.drop();
      return;
    }
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes === this.#length) this.complete();
  }

  complete(): void {
    if (this.#parts === null) return;
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const part of this.#parts) {
      whole.set(part, at);
      at += part.length;
    }
    this.#tell(whole);
  }

  drop(): void {
    if (this.#parts !== null) this.#tell(null);
  }

  #tell(whole: Bytes | null): void {
    this.#parts = null;
    this.#bounds.room.giveBack(this.#bytes);
    this.#done(whole);
  }
}
