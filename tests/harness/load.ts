/** A bounded number of callers that call one URL over and over until told to stop. */

export interface LoadResult {
  readonly calls: number;
  /** What went wrong, one line a failed call; empty when all was well. */
  readonly failures: readonly string[];
}

export class Load {
  #stopped = false;
  #calls = 0;
  readonly #failures: string[] = [];
  readonly #workers: Promise<void>[];

  /** Starts `callers` callers; `accept` says whether a status is one to expect. */
  constructor(
    readonly url: () => string,
    readonly headers: Record<string, string>,
    callers: number,
    readonly accept: (status: number) => boolean = (status) => status === 200,
  ) {
    this.#workers = Array.from({ length: callers }, () => this.#work());
  }

  get calls(): number {
    return this.#calls;
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      try {
        const response = await fetch(this.url(), { headers: this.headers });
        const text = await response.text();
        this.#calls++;
        if (!this.accept(response.status)) this.#failures.push(`${response.status} ${text}`);
      } catch (error) {
        if (!this.#stopped) this.#failures.push(String(error));
      }
    }
  }

  async stop(): Promise<LoadResult> {
    this.#stopped = true;
    await Promise.all(this.#workers);
    return { calls: this.#calls, failures: this.#failures };
  }
}
