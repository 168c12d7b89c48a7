/** A process that the bench has started and will end. */

export class Child implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<unknown>;
  #output = "";

  constructor(command: readonly string[], options: Pick<Deno.CommandOptions, "cwd" | "env"> = {}) {
    const [program = "", ...args] = command;
    this.#child = new Deno.Command(program, {
      ...options,
      args,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#reading = Promise.all([this.#read(this.#child.stdout), this.#read(this.#child.stderr)]);
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.#output += decoder.decode(bytes, { stream: true });
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Everything the process has printed. */
  get output(): string {
    return this.#output;
  }

  /** Waits for the end and gives what was printed; throws when that was a failure. */
  async finished(): Promise<string> {
    const { success, code } = await this.#child.status;
    await this.#reading;
    if (!success) throw new Error(`a program of the bench ended with ${code}:\n${this.#output}`);
    return this.#output;
  }

  /** Waits until the server answers at `url`; throws when the process ends before. */
  async untilAnswering(url: string): Promise<this> {
    let ended = false;
    this.#child.status.then(() => ended = true);
    while (!await answers(url)) {
      if (ended) throw new Error(`a server of the bench ended at its start:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGTERM"); // nginx ends its workers then
    } catch {
      // It has ended by itself.
    }
    await this.#child.status;
    await this.#reading;
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** A port that was free a moment ago, for servers that cannot choose one themselves. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
