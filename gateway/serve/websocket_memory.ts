/**
 * Keeps clients from filling the memory through WebSockets. Deno puts the fragments of a
 * client's message together before anybody hears of it, and sets no bound to them. Nothing
 * tells which client does so, and nothing that is there for one of them would stop it. But
 * all of them can be closed, and that is done when the process has grown by too much.
 */
import type { Logger } from "../process/logger.ts";

export interface WebSocketMemoryOptions {
  /** WebSockets that are open. */
  readonly open: () => number;
  /** Bytes that the process may grow by while there are any. */
  readonly limit: () => number;
  /** Closes them, and their connections with them. */
  readonly shed: () => Promise<unknown>;
  readonly log: Pick<Logger, "warn">;
  /** Bytes that the process uses. */
  readonly used?: () => number;
}

/** Between two looks, in ms; in that time a client on the same machine can send some 200 MiB. */
const PERIOD = 200;

export class WebSocketMemory {
  readonly #options: WebSocketMemoryOptions;
  readonly #used: () => number;
  /** Bytes that the process would use without WebSockets. */
  #without: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isShedding = false;

  constructor(options: WebSocketMemoryOptions) {
    this.#options = options;
    this.#used = options.used ?? (() => Deno.memoryUsage().rss);
    this.#without = this.#used();
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), PERIOD);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Closes all WebSockets if they may have taken too much. */
  async look(): Promise<void> {
    const { open, limit, log, shed } = this.#options;
    const used = this.#used();
    this.#without = open() === 0 ? used : Math.min(used, this.#without);
    if (this.#isShedding || used - this.#without <= limit()) return;
    this.#isShedding = true;
    log.warn("WebSockets may have taken too much memory: they are closed", {
      bytes: used - this.#without,
      "client.websocket_memory_max_bytes": limit(),
    });
    await shed();
    this.#without = this.#used(); // what is still there is not theirs
    this.#isShedding = false;
  }
}
