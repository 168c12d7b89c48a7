/**
 * One after another: work that would only get in its own way when done at once.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs `work` when everything taken before has ended, well or badly; gives its result. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}
