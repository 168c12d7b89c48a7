/**
 * The request bodies that are being read. A socket must not be shut down under them:
 * `Deno.HttpServer.shutdown` lets calls in flight finish, but makes the bodies of
 * HTTP/1.1 requests unreadable at once (Deno 2.9.6, denoland/deno#36809). So whoever
 * shuts one down waits for them first, and tells those that are cut off all the same.
 */

/** A body that is being read. */
export interface OpenBody {
  /** From now on a failure to read is this server's doing. */
  cut(): void;
}

export class OpenBodies {
  readonly #bodies = new Set<OpenBody>();
  #none: PromiseWithResolvers<void> | null = null;

  add(body: OpenBody): void {
    this.#bodies.add(body);
  }

  /** It has been read, or nobody reads it any more. */
  delete(body: OpenBody): void {
    this.#bodies.delete(body);
    if (this.#bodies.size > 0) return;
    this.#none?.resolve();
    this.#none = null;
  }

  /** Resolves as soon as none is being read. */
  async none(): Promise<void> {
    if (this.#bodies.size === 0) return;
    this.#none ??= Promise.withResolvers();
    await this.#none.promise;
  }

  /** Tells those that are being read that they cannot be read on. */
  cut(): void {
    for (const body of this.#bodies) body.cut();
  }
}

/** Those of this isolate. */
export const openBodies: OpenBodies = new OpenBodies();
