/**
 * What is known about a server from the calls that were sent to it: after failing
 * to connect it is left out for a while, then tried again by one call.
 */

/** How long a server is left out after its first failure in a row; doubles with each. In ms. */
const FIRST_BACK_OFF = 1000;
const LONGEST_BACK_OFF = 30_000;

export class Health {
  #failures = 0;
  #leftOutUntil = 0;
  #isOnTrial = false;

  /** Whether calls may go to the server; `now` gives ms. */
  isUsable(now: () => number): boolean {
    if (this.#failures === 0) return true;
    return !this.#isOnTrial && now() >= this.#leftOutUntil;
  }

  /** A connection is being opened: if the server had failed, this is the call on trial. */
  attempted(): void {
    this.#isOnTrial = this.#failures > 0;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isOnTrial = false;
  }

  /** At `now` ms. Calls that fail together count as one failure. */
  failed(now: number): void {
    this.#isOnTrial = false;
    if (now < this.#leftOutUntil) return;
    const backOff = Math.min(FIRST_BACK_OFF * 2 ** this.#failures, LONGEST_BACK_OFF);
    this.#failures++;
    this.#leftOutUntil = now + backOff;
  }

  /** The attempt was given up for a reason that is not the server's. */
  undecided(): void {
    this.#isOnTrial = false;
  }
}
