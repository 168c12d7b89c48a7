/**
 * Memory for copies of answers that are on their way to callers. A caller may take one
 * as slowly as it likes, and thousands may do so at one time: all copies together have
 * no more than a fixed amount, and an answer that finds none left is not kept.
 */
export class Room {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  /** Whether there were so many bytes left, which are taken then until they are given back. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#left += bytes;
  }
}
