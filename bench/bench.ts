/** One run of the bench: the machine, the upstream, and everything that has to be ended. */
import { join } from "node:path";
import { generateApiKey } from "@/gateway/keys/api_key.ts";
import { endChildren } from "./child.ts";
import { ownTurn } from "./turn.ts";
import type { GatewaySite, Server, Site } from "./gateway.ts";
import { LOAD_CORE, lookAtMachine, type Machine } from "./machine.ts";
import { installPackages } from "./peers/packages.ts";
import { startUpstream } from "./upstream.ts";

/** Calls of a flood before a key comes again. */
const UNKNOWN_KEYS = 200_000;

export class Bench implements AsyncDisposable {
  readonly machine: Machine;
  readonly upstream: Server;
  readonly #folder: string;
  readonly #stack: AsyncDisposableStack;
  #packages: Promise<string> | null = null;
  #unknownKeys: Promise<string> | null = null;

  private constructor(
    machine: Machine,
    upstream: Server,
    folder: string,
    stack: AsyncDisposableStack,
  ) {
    this.machine = machine;
    this.upstream = upstream;
    this.#folder = folder;
    this.#stack = stack;
  }

  /** Makes a scratch folder and starts the upstream; waits while another bench runs. */
  static async open(): Promise<Bench> {
    await using stack = new AsyncDisposableStack();
    stack.use(await ownTurn());
    const machine = await lookAtMachine();
    const folder = await Deno.makeTempDir({ prefix: "portico-bench-" });
    stack.defer(() => Deno.remove(folder, { recursive: true }));
    const site: Site = { machine, folder, cores: LOAD_CORE, owns: stack.use.bind(stack) };
    const upstream = await startUpstream(site);
    return new Bench(machine, upstream, folder, stack.move());
  }

  /** A site for gateways that run together, held to `cores`, and end with the stack. */
  async site(stack: AsyncDisposableStack, cores: string | null): Promise<GatewaySite> {
    this.#stack.use(stack); // if the bench ends before
    const folder = await Deno.makeTempDir({ dir: this.#folder });
    stack.defer(() => Deno.remove(folder, { recursive: true }));
    return {
      machine: this.machine,
      folder,
      cores,
      owns: stack.use.bind(stack),
      upstream: this.upstream,
      packages: () => this.packages(),
    };
  }

  /** The folder with the programs for Node.js, whose packages are installed when first asked for. */
  packages(): Promise<string> {
    return this.#packages ??= installPackages(this.#folder);
  }

  /** A file of well-formed keys that nobody holds. */
  unknownKeys(): Promise<string> {
    return this.#unknownKeys ??= this.writeKeys(
      Array.from({ length: UNKNOWN_KEYS }, generateApiKey),
    );
  }

  /** Writes a file for `Load.keysFile`; its path. */
  async writeKeys(keys: readonly string[]): Promise<string> {
    const path = join(this.#folder, `keys-${crypto.randomUUID()}`);
    await Deno.writeTextFile(path, keys.join("\n") + "\n");
    return path;
  }

  /** Ends everything, the latest first, and removes the scratch folder. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
    await endChildren();
  }
}
