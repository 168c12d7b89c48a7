/**
 * What is known about a server from the calls that were sent to it. One that
 * cannot be connected to, or ends several calls in a row without an answer, is
 * left out for a while and then tried again by one call.
 *
 * A server that is slow to answer is not left out: that says more about the call
 * than about the server, and whoever knows a slow call could stop all others.
 */
import type { Occurrence } from "./server_state.ts";

/** How long a server is left out after its first failure in a row; doubles with each. In ms. */
const FIRST_BACK_OFF = 1000;
const LONGEST_BACK_OFF = 30_000;
/** Calls in a row without an answer after which a server is left out. */
const UNANSWERED_LIMIT = 3;

export class Health {
  readonly #onChange: () => void;
  /** The last one ever. */
  lastFailure: Occurrence | null = null;
  /** Times in a row that the server was left out. */
  #failures = 0;
  /** Calls in a row that ended without an answer, though connected. */
  #unanswered = 0;
  #leftOutUntil = 0;
  #isOnTrial = false;

  /** `onChange` is called when the server is left out, and when it is back. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  /** When the server is to be tried again, in ms; null when it is not left out. */
  get leftOutUntil(): number | null {
    return this.#failures === 0 ? null : this.#leftOutUntil;
  }

  /** Whether calls may go to the server; `now` gives ms. */
  isUsable(now: () => number): boolean {
    if (this.#failures === 0) return true;
    return !this.#isOnTrial && now() >= this.#leftOutUntil;
  }

  /** A call goes to the server: if that had failed, the call is its trial. */
  attempted(): void {
    this.#isOnTrial = this.#failures > 0;
  }

  /** A connection was made: enough, unless the failure was to take calls and not to answer. */
  connected(): void {
    if (this.#unanswered < UNANSWERED_LIMIT) this.#recover();
  }

  answered(): void {
    if (this.#failures === 0 && this.#unanswered === 0) return;
    this.#unanswered = 0;
    this.#recover();
  }

  /** No connection could be made, at `now` ms. */
  refused(now: number, error: unknown): void {
    this.#note(error);
    this.#leaveOut(now);
  }

  /** The connection broke, or what came was no answer, at `now` ms. */
  unanswered(now: number, error: unknown): void {
    this.#note(error);
    this.#unanswered++;
    if (this.#unanswered >= UNANSWERED_LIMIT) this.#leaveOut(now);
    else this.undecided();
  }

  /** The call was given up for a reason that is not the server's. */
  undecided(): void {
    this.#isOnTrial = false;
  }

  #note(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.lastFailure = { at: new Date().toISOString(), message };
  }

  #recover(): void {
    this.#isOnTrial = false;
    if (this.#failures === 0) return;
    this.#failures = 0;
    this.#onChange();
  }

  /** Calls that fail together count as one failure. */
  #leaveOut(now: number): void {
    this.#isOnTrial = false;
    if (now < this.#leftOutUntil) return;
    const backOff = Math.min(FIRST_BACK_OFF * 2 ** this.#failures, LONGEST_BACK_OFF);
    this.#failures++;
    this.#leftOutUntil = now + backOff;
    if (this.#failures === 1) this.#onChange();
  }
}
