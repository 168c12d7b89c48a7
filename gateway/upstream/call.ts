/**
 * One call on its way to an upstream and back: the handle its sender holds, and
 * the tally that whoever carries it at the moment keeps.
 */
import type { HeaderField } from "../exchange/header_fields.ts";
import type { DeadlineWatch, Waiting } from "../deadlines.ts";
import { UpstreamFault } from "./faults.ts";
import { formatRequestHead, type UpstreamRequest } from "./request_head.ts";
import type { Tunnel } from "./tunnel.ts";

export interface UpstreamResponse {
  readonly status: number;
  /** As `ResponseHead.headers`: lower case, repeated fields apart, no hop-by-hop fields. */
  readonly headers: HeaderField[];
  /**
   * Bytes when the body arrived whole with the head, null when there is none. A
   * stream fails with an `UpstreamFault` when the body is cut short; cancelling it
   * ends the call.
   */
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | Uint8Array<ArrayBuffer> | null;
  /** With status 101, the connection: it has switched to the protocol that was asked for. */
  readonly tunnel?: Tunnel;
}

/** `complete`: the answer's last byte was read. `aborted`: that will never be. */
export type CallOutcome = "running" | "complete" | "aborted";

/** What `UpstreamGroup.send` gives. */
export interface UpstreamCall {
  /** Rejects with an `UpstreamFault`, or a `TypeError` for a request that cannot be sent. */
  readonly answer: Promise<UpstreamResponse>;
  /** `host:port` of the server that was asked last; empty before one was. */
  readonly server: string;
  /** Bytes of body, without framing, sent to the upstream so far. */
  readonly requestBytes: number;
  /** Bytes of body, without framing, taken from the upstream so far. */
  readonly responseBytes: number;
  readonly outcome: CallOutcome;
  /**
   * Stops all work for the call at once and closes its connection; for a client
   * that has gone. Does nothing once the call has ended.
   */
  cancel(): void;
}

/** Who works on a call: an attempt to connect, or a connection. */
export interface Carrier {
  abort(fault: UpstreamFault): void;
}

const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export class Call implements UpstreamCall, Waiting {
  readonly request: UpstreamRequest;
  /** The request's head as it goes out, latin1. */
  readonly head: string;
  /** The body that is to be sent, if any. */
  readonly body: ReadableStream<Uint8Array> | null;
  answer!: Promise<UpstreamResponse>;
  server = "";
  requestBytes = 0;
  responseBytes = 0;
  outcome: CallOutcome = "running";
  #carrier: Carrier | null = null;
  /** Longest time from the start to the end, if there is a limit. */
  #limit: { readonly ms: number; readonly deadline: number; readonly watch: DeadlineWatch } | null =
    null;
  /** Why the call was given up, by its client or its limit. */
  #fault: UpstreamFault | null = null;
  #isClientWatched = false;
  readonly #onEnd: ((call: UpstreamCall) => void) | undefined;

  /** @throws {TypeError} for a request that cannot be sent as it is. */
  constructor(request: UpstreamRequest, onEnd?: (call: UpstreamCall) => void) {
    this.request = request;
    this.head = formatRequestHead(request);
    this.body = request.bodyLength === 0 ? null : request.body;
    this.#onEnd = onEnd;
  }

  cancel(): void {
    this.#abort(this.#clientGone());
  }

  /**
   * From now on the call is cancelled when its client leaves. To listen for that costs as
   * much as carrying a short call does, so only calls that turn out to take long do.
   */
  watchClient(): void {
    if (this.#isClientWatched) return;
    this.#isClientWatched = true;
    const signal = this.request.clientSignal?.();
    if (signal?.aborted) this.cancel();
    else signal?.addEventListener("abort", () => this.cancel(), { once: true });
  }

  /** From now on the call may take `ms` in all. */
  limitTo(ms: number, watch: DeadlineWatch): void {
    this.#limit = { ms, deadline: watch.now() + ms, watch };
    watch.add(this);
  }

  /** The call may last as long as it wants to: it has become a WebSocket. */
  unlimited(): void {
    this.#limit?.watch.delete(this);
    this.#limit = null;
  }

  expire(now: number): void {
    if (this.#limit === null || now < this.#limit.deadline) return;
    const message = `was not done with the call within ${this.#limit.ms / 1000} s`;
    this.#abort(new UpstreamFault("timeout", this.server, message));
  }

  #abort(fault: UpstreamFault): void {
    if (this.outcome !== "running") return;
    const carrier = this.#carrier;
    this.#fault = fault;
    this.end("aborted");
    carrier?.abort(fault);
  }

  #clientGone(): UpstreamFault {
    return new UpstreamFault("client_aborted", this.server, "was asked by a client that went away");
  }

  /** Whether the call may be sent twice: a safe method (RFC 9110 §9.2.1) and no body. */
  get isRepeatable(): boolean {
    return this.body === null && REPEATABLE.has(this.request.method);
  }

  /**
   * `carrier` works on the call from now on.
   *
   * @throws {UpstreamFault} when the call was given up before.
   */
  carriedBy(carrier: Carrier): void {
    if (this.outcome !== "running") throw this.#fault ?? this.#clientGone();
    this.#carrier = carrier;
  }

  /** The call is over; the first outcome stands. */
  end(outcome: "complete" | "aborted"): void {
    if (this.outcome !== "running") return;
    this.outcome = outcome;
    this.#carrier = null;
    this.#limit?.watch.delete(this);
    this.#onEnd?.(this);
  }
}
