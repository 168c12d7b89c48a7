/** json-server from npm, run in a process of its own: an upstream that nobody here wrote. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "./until.ts";

export class JsonServer implements AsyncDisposable {
  #log = "";
  readonly #child: Deno.ChildProcess;
  readonly #reading: Promise<void>;

  constructor(child: Deno.ChildProcess, readonly port: number, readonly folder: string) {
    this.#child = child;
    this.#reading = this.#read(child.stdout);
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.#log += decoder.decode(bytes, { stream: true });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /**
   * How many requests for things it has logged. Its log arrives a moment after its
   * answers, so wait for the number that is due.
   */
  get requests(): number {
    return this.#log.split("\n").filter((line) => /GET \/things/.test(line)).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.status;
    await this.#reading;
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Serves `data` as json-server does: `{things:[{id}]}` at `/things/1`. */
export async function startJsonServer(data: Record<string, unknown>): Promise<JsonServer> {
  const folder = await Deno.makeTempDir({ prefix: "portico-upstream-" });
  const file = join(folder, "db.json");
  await Deno.writeTextFile(file, JSON.stringify(data));
  const port = freePort();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      `--lock=${fileURLToPath(new URL("../deno.lock", import.meta.url))}`,
      "--allow-all",
      "npm:json-server@0.17.4",
      "--port",
      String(port),
      "--host",
      "127.0.0.1",
      file,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const server = new JsonServer(child, port, folder);
  await until(async () => {
    try {
      await (await fetch(`${server.url}/db`)).body?.cancel();
      return true;
    } catch {
      return false;
    }
  }, "json-server");
  return server;
}

/** A port that was free a moment ago; json-server cannot choose one itself. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
