/**
 * Starts the real program for a test: its own process, its own data folder, free
 * ports, the permissions it would have in production. Ends it, whatever happened.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { until } from "./until.ts";

/** A configuration under which no call is too many, for tests that make a lot of them. */
export const unlimited = "default_api_backend_settings: { rate_limit_mode: unlimited }\n";

const projectFolder = fileURLToPath(new URL("../../", import.meta.url));

export interface PorticoOptions {
  /** The configuration file's text, YAML. `http_port` and `kv` are set by the harness. */
  readonly config?: string;
  /** An existing data folder, to start again on what an earlier process left. */
  readonly dataFolder?: string;
  readonly env?: Record<string, string>;
  /** A command to run it under, such as `["taskset", "-c", "1"]`. */
  readonly under?: readonly string[];
}

export class RunningPortico {
  readonly #child: Deno.ChildProcess;
  readonly #ended: Promise<Deno.CommandStatus>;
  readonly #output: string[] = [];
  readonly #reading: Promise<unknown>;

  constructor(child: Deno.ChildProcess, readonly folder: string, readonly dataFolder: string) {
    this.#child = child;
    this.#ended = child.status;
    this.#reading = Promise.all([this.#read(child.stdout), this.#read(child.stderr)]);
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.#output.push(decoder.decode(bytes, { stream: true }));
  }

  /** Everything the process has printed. */
  get output(): string {
    return this.#output.join("");
  }

  /** The first URL of the ready line, without a slash at its end: `http://localhost:12345`. */
  url(scheme: "http" | "https" = "http"): string {
    const ready = this.output.split("\n").find((line) => /\bready\b/.test(line)) ?? "";
    const url = new RegExp(`${scheme}://[^\\s",]+`).exec(ready)?.[0];
    if (url === undefined) throw new Error(`no ${scheme} URL in the ready line:\n${this.output}`);
    return url.replace(/\/$/, "");
  }

  get port(): number {
    return Number(new URL(this.url()).port);
  }

  get pid(): number {
    return this.#child.pid;
  }

  async untilReady(): Promise<this> {
    let ended = false;
    this.#ended.then(() => ended = true);
    await until(() => {
      if (ended) throw new Error(`Portico ended before it was ready:\n${this.output}`);
      return /\bready\b/.test(this.output);
    }, "the ready line");
    return this;
  }

  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Waits for the process to end by itself; gives its status. */
  async ended(): Promise<Deno.CommandStatus> {
    const status = await this.#ended;
    await this.#reading;
    return status;
  }

  /** Sends a signal and waits for the end; gives the exit status. */
  async end(signal: Deno.Signal = "SIGTERM"): Promise<Deno.CommandStatus> {
    try {
      this.#child.kill(signal);
    } catch {
      // It has ended by itself; its status tells how.
    }
    return await this.ended();
  }

  /** Ends the process and removes what it left. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGKILL");
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** Starts Portico and waits until it says that it is ready. */
export async function startPortico(options: PorticoOptions = {}): Promise<RunningPortico> {
  return await (await spawnPortico(options)).untilReady();
}

/** Starts Portico without waiting, for tests of a start that fails. */
export async function spawnPortico(options: PorticoOptions = {}): Promise<RunningPortico> {
  const folder = await Deno.makeTempDir({ prefix: "portico-test-" });
  const dataFolder = options.dataFolder ?? join(folder, "data");
  const configPath = join(folder, "portico.yml");
  await Deno.writeTextFile(configPath, options.config ?? "site_name: Test API\n");
  const [command, ...args] = [...(options.under ?? []), "sh"] as const;
  const child = new Deno.Command(command ?? "sh", {
    args: [...args, join(projectFolder, "bin/portico"), "start", "--config", configPath],
    env: {
      PORTICO_HTTP_PORT: "0",
      PORTICO_KV: join(dataFolder, "portico.kv"),
      DENO: Deno.execPath(),
      ...options.env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return new RunningPortico(child, folder, dataFolder);
}
