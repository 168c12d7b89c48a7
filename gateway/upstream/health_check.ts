/**
 * Asks a server at intervals whether it is well, with a request of Portico's own. One
 * that fails several times in a row gets calls only when no other server remains,
 * until it has passed several times in a row.
 */
import { Call, type UpstreamResponse } from "./call.ts";
import type { DeadlineWatch, Waiting } from "../deadlines.ts";
import type { UpstreamRequest } from "./request_head.ts";
import type { CheckOutcome } from "./server_state.ts";

export interface HealthCheckOptions {
  /** Path and query to ask for. */
  readonly path: string;
  /** Host to ask for; null: the server's own. */
  readonly host: string | null;
  /** Between the end of a check and the next one, in ms. */
  readonly interval: number;
  /** Longest time until the answer is whole, in ms. */
  readonly timeout: number;
  /** Checks in a row that a server has to pass, or to fail, for the verdict to change. */
  readonly healthyAfter: number;
  readonly unhealthyAfter: number;
  /** Statuses that pass; empty: 200 to 399. */
  readonly expectedStatuses: readonly number[];
}

/** The server, as far as it is checked. */
export interface Checked {
  /** `host:port` */
  readonly name: string;
  readonly watch: DeadlineWatch;
  send(call: Call): Promise<UpstreamResponse>;
}

/** Isolates that were started together do not check together. */
const JITTER = 0.1;
/** Latest time of the first check, in ms. */
const FIRST_CHECK = 1000;

export class HealthCheck implements Waiting {
  /** The verdict; until there is one, well. */
  isHealthy = true;
  last: CheckOutcome | null = null;
  readonly #server: Checked;
  readonly #options: HealthCheckOptions;
  readonly #onChange: () => void;
  /** Checks in a row that speak against the verdict. */
  #contrary = 0;
  #nextAt: number;
  #call: Call | null = null;

  /** `onChange` is called when the verdict changes. */
  constructor(server: Checked, options: HealthCheckOptions, onChange: () => void) {
    this.#server = server;
    this.#options = options;
    this.#onChange = onChange;
    this.#nextAt = server.watch.now() + Math.random() * Math.min(FIRST_CHECK, options.interval);
    server.watch.add(this);
  }

  /** Stops for good; a check on its way is given up. */
  stop(): void {
    const call = this.#call;
    this.#call = null;
    this.#nextAt = Infinity;
    this.#server.watch.delete(this);
    call?.cancel();
  }

  expire(now: number): void {
    if (now >= this.#nextAt) this.#check();
  }

  async #check(): Promise<void> {
    const { watch } = this.#server;
    const call = new Call(this.#request());
    this.#call = call;
    this.#nextAt = Infinity;
    call.limitTo(this.#options.timeout, watch);
    const outcome = await this.#outcome(call);
    if (this.#call !== call) return; // stopped
    this.#call = null;
    this.#nextAt = watch.now() + this.#options.interval * (1 + JITTER * (2 * Math.random() - 1));
    this.#note({ ...outcome, at: new Date().toISOString() });
  }

  /** Nothing in it is a client's. */
  #request(): UpstreamRequest {
    const { path, host, timeout } = this.#options;
    return {
      method: "GET",
      target: path,
      headers: [
        ["host", host ?? this.#server.name],
        ["user-agent", "Portico health check"],
        ["accept", "*/*"],
      ],
      body: null,
      bodyLength: null,
      clientAddress: "",
      timeouts: { connect: timeout, read: timeout, send: timeout, total: timeout },
    };
  }

  async #outcome(call: Call): Promise<Omit<CheckOutcome, "at">> {
    try {
      const { status, body } = await this.#server.send(call);
      if (body instanceof ReadableStream) await body.pipeTo(new WritableStream()); // all of it
      return { passed: this.#isExpected(status), message: `answered ${status}` };
    } catch (error) {
      call.end("aborted");
      return { passed: false, message: error instanceof Error ? error.message : String(error) };
    }
  }

  #isExpected(status: number): boolean {
    const { expectedStatuses } = this.#options;
    if (expectedStatuses.length > 0) return expectedStatuses.includes(status);
    return status >= 200 && status < 400;
  }

  #note(outcome: CheckOutcome): void {
    this.last = outcome;
    if (outcome.passed === this.isHealthy) {
      this.#contrary = 0;
      return;
    }
    const { healthyAfter, unhealthyAfter } = this.#options;
    if (++this.#contrary < (this.isHealthy ? unhealthyAfter : healthyAfter)) return;
    this.isHealthy = outcome.passed;
    this.#contrary = 0;
    this.#onChange();
  }
}
