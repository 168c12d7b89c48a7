/**
 * Looks after the connections that carry no call: idle ones, and those that never send a
 * whole request. The server does not tell of them, so they are reckoned: whatever files
 * the process has open, less those of the calls in flight. Too many are closed, all at
 * once.
 */
import type { Logger } from "../process/logger.ts";

export interface ConnectionCapOptions {
  /** Connections without a call that may be open. */
  readonly limit: () => number;
  readonly openFiles: () => number;
  /** Calls in flight, in the whole process. */
  readonly calls: () => number;
  /** Closes what carries no call. */
  readonly shed: () => Promise<unknown>;
  /**
   * Has another isolate take this one's place, which is ended when its calls are. That
   * closes what shedding does not: connections to the HTTPS port that never begin TLS,
   * and those of callers that do not take their answers.
   */
  readonly replace: (reason: string) => void;
  /** How long an isolate takes to be ended, in ms: until then the number cannot fall. */
  readonly replacementTime: () => number;
  readonly log: Pick<Logger, "warn">;
  /** Monotonic, in ms. */
  readonly now?: () => number;
}

/** Between two looks, in ms. */
const PERIOD = 1000;
/** Between two times of shedding, in ms: each of them may reset a connection that was fine. */
const SHED_EVERY = 5000;
/** A call has a connection to its caller and one to its backend. */
const FILES_A_CALL = 2;

export class ConnectionCap {
  readonly #options: ConnectionCapOptions;
  readonly #now: () => number;
  readonly #born: number;
  #timer: ReturnType<typeof setInterval> | undefined;
  #shedAt = -Infinity;
  #isShedding = false;
  /** Whether there have been too many ever since. */
  #hasShed = false;

  constructor(options: ConnectionCapOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#born = this.#now();
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), PERIOD);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Sheds, or has the isolate replaced, if there are too many. */
  async look(): Promise<void> {
    const { limit, openFiles, calls, log, shed } = this.#options;
    const idle = openFiles() - calls() * FILES_A_CALL;
    if (idle < limit()) {
      this.#hasShed = false;
      return;
    }
    const now = this.#now();
    if (this.#isShedding || now < this.#shedAt + SHED_EVERY) return;
    if (this.#hasShed && now > this.#born + this.#options.replacementTime()) {
      this.#hasShed = false;
      this.#shedAt = now;
      this.#options.replace("connections that carry no call could not be closed");
      return;
    }
    log.warn("too many connections that carry no call: they are closed", {
      connections: idle === Infinity ? "as many as the system allows" : idle,
      "client.max_idle_connections": limit(),
    });
    this.#hasShed = true;
    this.#isShedding = true;
    await shed();
    this.#isShedding = false;
    this.#shedAt = this.#now();
  }
}
