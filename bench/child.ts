/** Processes that the bench starts, and ends whatever happens. */

const living = new Set<Child>();

/** Ends every process that was started here. */
export async function endChildren(): Promise<void> {
  await Promise.all([...living].map((child) => child[Symbol.asyncDispose]()));
}

export class Child implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #ended: Promise<Deno.CommandStatus>;
  #output = "";

  /** Starts the program that comes first in `command`. */
  constructor(command: readonly string[], options: Pick<Deno.CommandOptions, "cwd"> = {}) {
    const [program = "", ...args] = command;
    this.#process = new Deno.Command(program, {
      ...options,
      args,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    living.add(this);
    this.#ended = this.#read();
  }

  async #read(): Promise<Deno.CommandStatus> {
    const read = async (stream: ReadableStream<Uint8Array>) => {
      const decoder = new TextDecoder();
      for await (const bytes of stream) this.#output += decoder.decode(bytes, { stream: true });
    };
    await Promise.all([read(this.#process.stdout), read(this.#process.stderr)]);
    const status = await this.#process.status;
    living.delete(this);
    return status;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Waits for the end and gives what was printed; throws when that was a failure. */
  async finished(): Promise<string> {
    const { success, code } = await this.#ended;
    if (!success) throw new Error(`a program of the bench ended with ${code}:\n${this.#output}`);
    return this.#output;
  }

  /** Waits until the server answers at `url`; throws when it ends before. */
  async untilAnswering(url: string): Promise<void> {
    while (!await answers(url)) {
      if (!living.has(this)) throw new Error(`a server of the bench has ended:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGTERM"); // on which nginx ends its workers
    } catch {
      // It has ended by itself.
    }
    await this.#ended;
  }
}

/** Whether something takes connections at `url`; what it answers does not matter. */
async function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  try {
    (await Deno.connect({ hostname, port: Number(port) })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}

/** A port that was free a moment ago, for servers that cannot choose one themselves. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
