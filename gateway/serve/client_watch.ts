/**
 * Notices clients that leave while their call is under way. A request's signal tells
 * of it, but a listener on one costs as much as reading and writing the request, so
 * only calls that take longer than most get one: a client's leaving then is seen at
 * once, and before that after a tenth of a second.
 */
import { type DeadlineWatch, sharedWatch, type Waiting } from "../upstream/deadlines.ts";

/** What a call is to its client's leaving. */
interface Cancellable {
  cancel(): void;
}

export class ClientWatch implements Waiting {
  readonly #watch: DeadlineWatch;
  /** Calls whose client has no listener yet. */
  readonly #calls = new Map<Cancellable, Request>();

  constructor(watch: DeadlineWatch = sharedWatch) {
    this.#watch = watch;
  }

  /** From now on `call` is cancelled when the client of `request` leaves, until it is deleted. */
  add(call: Cancellable, request: Request): void {
    if (this.#calls.size === 0) this.#watch.add(this);
    this.#calls.set(call, request);
  }

  delete(call: Cancellable): void {
    if (this.#calls.delete(call) && this.#calls.size === 0) this.#watch.delete(this);
  }

  /** The sweep of the watch: those that are still here have taken long enough. */
  expire(): void {
    for (const [call, request] of this.#calls) {
      const { signal } = request;
      if (signal.aborted) call.cancel();
      else signal.addEventListener("abort", () => call.cancel(), { once: true });
    }
    this.#calls.clear();
    this.#watch.delete(this);
  }
}
