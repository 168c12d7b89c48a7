/**
 * One connection to an upstream server, carrying one call after the other
 * (RFC 9112 §9.3; never pipelined). A read is outstanding even while it is idle:
 * so the end of the connection, or bytes nobody asked for, are seen at once and
 * are not taken for the answer to a later call.
 */
import { type BodyDecoder, bodyDecoder } from "./body_decoder.ts";
import type { Call, Carrier, UpstreamResponse } from "./call.ts";
import type { DeadlineWatch } from "../deadlines.ts";
import type { Dialled } from "./dial.ts";
import { ProtocolError, UpstreamFault, type UpstreamFaultKind } from "./faults.ts";
import { InputBuffer } from "./input_buffer.ts";
import { OutputBuffer } from "./output_buffer.ts";
import { parseResponseHead, type ResponseHead } from "./response_head.ts";
import { streamBody } from "./streamed_body.ts";
import { UNLIMITED, type UpstreamTimeouts } from "./timeouts.ts";
import type { Tunnel } from "./tunnel.ts";
import { Upload } from "./upload.ts";
import { Wire } from "./wire.ts";

/** Who a connection belongs to. */
export interface ConnectionOwner {
  /** `host:port` */
  readonly name: string;
  /** Longest time without a call, in ms. */
  readonly idleLimit: number;
  readonly watch: DeadlineWatch;
  /** The connection is done with the call it carried, once a call; it is closed if not reusable. */
  released(connection: Connection, reusable: boolean): void;
  /** A connection that waited for a call is closed. */
  lost(connection: Connection): void;
}

/** Interim answers before the final one: RFC 9110 §15.2 allows any number, we an end. */
const MAX_INTERIM_ANSWERS = 1000;
/** A server closes an idle connection at its own limit; ours ends this much before, in ms. */
const IDLE_MARGIN = 1000;

export class Connection implements Carrier {
  /** IP address of the other side. */
  readonly address: string;
  readonly #wire: Wire;
  readonly #isPlain: boolean;
  readonly #owner: ConnectionOwner;
  readonly #input = new InputBuffer();
  readonly #output = new OutputBuffer();

  /** The outstanding read into `#input`; never rejects. */
  #receiving: Promise<void> | null = null;
  /** Why nothing more arrives: an error, or null for a regular end. */
  #ending: { readonly cause: unknown } | null = null;

  #call: Call | null = null;
  /** Those of the call, or of the last one. */
  #timeouts: UpstreamTimeouts = UNLIMITED;
  #isKept = false;
  #isPersistent = true;
  #idleLimit: number;
  #upload: Upload | null = null;
  /** Whether bytes of the answer are waited for; while the body goes out, with patience. */
  #isAwaiting = false;
  /** Whether it is the client's turn: to take what has come of the answer. */
  #isClientDue = false;
  /** Why the connection was closed under a call. */
  #fault: UpstreamFault | null = null;

  /** Takes over `socket`, connected and handshaken; `isPlain` says it has no TLS. */
  constructor({ socket, address }: Dialled, isPlain: boolean, owner: ConnectionOwner) {
    this.address = address;
    this.#isPlain = isPlain;
    this.#owner = owner;
    this.#idleLimit = owner.idleLimit;
    this.#wire = new Wire(socket, {
      watch: owner.watch,
      onExpire: (direction) => this.#expired(direction),
      onSweep: () => this.#call?.watchClient(),
    });
  }

  /**
   * Sends a call and gives its answer as soon as the head is there.
   *
   * Null when this is a kept connection that turns out to have ended and the call
   * may be sent again: either nothing of it was written, or it has no body and a
   * safe method (RFC 9112 §9.3.1).
   *
   * @throws {UpstreamFault}
   */
  async exchange(call: Call): Promise<UpstreamResponse | null> {
    this.#call = call;
    this.#timeouts = call.request.timeouts;
    this.#wire.sendLimit = this.#timeouts.send;
    try {
      call.carriedBy(this);
      if (!await this.#sendHead(call)) return null;
      const head = await this.#finalHead(call);
      // Cancelled in the moment it came: the call is over, and the connection closed.
      if (this.#fault !== null) throw this.#fault;
      return head === null ? null : this.#answer(call, head);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  /** Closes the connection; the call it carries fails with `fault`. */
  abort(fault: UpstreamFault): void {
    if (this.#wire.isClosed) return;
    this.#fault = fault;
    const call = this.#call;
    this.#release(false);
    call?.end("aborted");
  }

  /** Closes the connection: now, or as soon as the call that it carries is over. */
  retire(): void {
    const isWaiting = this.#call === null && this.#isKept; // a new one is about to get its call
    if (isWaiting) this.#lose();
    else this.#isPersistent = false;
  }

  // The request

  /** False when the connection had ended before anything was written. */
  async #sendHead({ head, body }: Call): Promise<boolean> {
    this.#wire.expectNothing(); // lifts the limit on idling
    const before = this.#wire.bytesWritten;
    try {
      await this.#wire.write(this.#output.encode(head));
    } catch (error) {
      // Plain TCP takes or refuses; below TLS some of what it refuses may have gone out.
      const isUnsent = this.#isPlain && this.#wire.bytesWritten === before;
      if (!isUnsent || !this.#mayHaveEndedIdle()) throw error;
      this.#release(false);
      return false;
    }
    if (body !== null) this.#startUpload(body);
    return true;
  }

  /** Sends the body while the answer is awaited: it may come early. */
  #startUpload(body: ReadableStream<Uint8Array>): void {
    const call = this.#call!; // set by `exchange`
    const upload = new Upload(call, body, (bytes) => this.#wire.write(bytes));
    this.#upload = upload;
    upload.run().then((end) => {
      if (this.#upload !== upload) return; // the call is over
      if (end !== "whole" && end !== "stopped" && end !== "refused") {
        const kind = end === "wrong length" ? "client_aborted" : end;
        this.abort(this.#faultOf(kind, `was not sent the whole body: ${end}`));
        return;
      }
      this.#upload = null;
      if (end !== "whole") this.#isPersistent = false;
      if (this.#isAwaiting) this.#await();
    });
  }

  // The answer

  /** Bytes are due; but as long as the request is not out, silence is the client's. */
  #await(): void {
    this.#isAwaiting = true;
    this.#isClientDue = false;
    if (this.#upload === null) this.#wire.expectBytes(this.#timeouts.read);
  }

  #awaitNothing(): void {
    this.#isAwaiting = false;
    this.#wire.expectNothing();
  }

  #awaitClient({ request: { client } }: Call): void {
    if (client === undefined) return;
    this.#isClientDue = true;
    this.#wire.expectBytes(client.answerStall);
  }

  /** The head of the final answer; null when the call may be sent on another connection. */
  async #finalHead(call: Call): Promise<ResponseHead | null> {
    for (let interim = 0; interim <= MAX_INTERIM_ANSWERS; interim++) {
      const text = await this.#nextHead();
      if (text === null) {
        const isUntouched = interim === 0 && this.#input.isEmpty && call.isRepeatable;
        if (!isUntouched || !this.#mayHaveEndedIdle()) throw this.#cutShort();
        this.#release(false);
        return null;
      }
      const head = parseResponseHead(text);
      if (head.status >= 200) return head;
      if (head.status !== 101) continue;
      // RFC 9110 §15.2.2: to a protocol that the Upgrade field has named.
      if (head.upgrade !== null && head.upgrade === call.request.upgrade) return head;
      throw new ProtocolError("switches protocols unasked");
    }
    throw new ProtocolError("is preceded by too many interim answers");
  }

  /** The next head as it came, or null at the end of the connection. */
  async #nextHead(): Promise<string | null> {
    for (;;) {
      const head = this.#input.takeHead();
      if (head !== null) {
        this.#awaitNothing();
        return head;
      }
      if (this.#ending !== null) return null;
      this.#await();
      await (this.#receiving ??= this.#receive());
    }
  }

  /** Reads into `#input` once. Without a call, whatever happens ends the connection. */
  async #receive(): Promise<void> {
    try {
      const count = await this.#wire.read(this.#input.free());
      if (count === null) this.#ending = { cause: null };
      else this.#input.end += count;
    } catch (cause) {
      this.#ending = { cause };
    }
    this.#receiving = null;
    if (this.#call === null) this.#lose();
  }

  #answer(call: Call, head: ResponseHead): UpstreamResponse {
    const { status, headers } = head;
    if (status === 101) {
      call.unlimited();
      return { status, headers, body: null, tunnel: this.#tunnel() };
    }
    this.#isPersistent &&= head.persistent;
    // RFC 9112 §9.5: an error and a connection about to close mean "no more of this body".
    if (status >= 400 && !head.persistent) this.#upload?.stop();
    if (head.idleLimit !== null) {
      this.#idleLimit = Math.min(this.#owner.idleLimit, head.idleLimit - IDLE_MARGIN);
    }
    const { bytes, start, end } = this.#input;
    const decoder = bodyDecoder(call.request.method, head);
    if (decoder === null) {
      this.#finish(end - start);
      return { status, headers, body: null };
    }
    if (decoder.endsAtClose) this.#isPersistent = false;
    const length = decoder.decode(bytes, start, end);
    const content = bytes.slice(start, start + length);
    call.responseBytes = length;
    if (!decoder.done) return { status, headers, body: this.#stream(call, decoder, content) };
    this.#finish(decoder.surplus);
    return { status, headers, body: length === 0 ? null : content };
  }

  #stream(call: Call, decoder: BodyDecoder, content: Uint8Array<ArrayBuffer>) {
    this.#awaitClient(call);
    return streamBody(content, decoder, {
      read: (bytes) => this.#readBody(bytes),
      passed: (count) => {
        call.responseBytes += count;
        this.#awaitClient(call);
      },
      finished: (surplus) => this.#finish(surplus),
      broken: (error) => this.#fail(error),
      cancelled: () => call.cancel(),
    }, this.#input.bytes);
  }

  async #readBody(bytes: Uint8Array): Promise<number | null> {
    this.#await();
    const count = await this.#wire.read(bytes);
    this.#awaitNothing();
    return count;
  }

  // Another protocol

  #tunnel(): Tunnel {
    const { bytes, start, end } = this.#input;
    return {
      first: bytes.subarray(start, end),
      buffer: bytes,
      timeouts: this.#timeouts,
      watch: this.#owner.watch,
      read: (into) => this.#inTunnel(this.#readBody(into)),
      write: (out) => this.#inTunnel(this.#wire.write(out)),
      close: () => this.#closeTunnel(),
    };
  }

  async #inTunnel<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw this.#fail(error);
    }
  }

  #closeTunnel(): void {
    this.#isPersistent = false;
    this.#finish(0);
  }

  // The end

  /** The answer is whole; `surplus` bytes that nobody asked for came after it. */
  #finish(surplus: number): void {
    const call = this.#call;
    if (call === null) return; // a fault was faster, such as a cancel as the last bytes came
    // What is left of the request would be read as the next one.
    this.#release(this.#isPersistent && surplus === 0 && this.#upload === null);
    call.end("complete");
  }

  /** Lets go of the call; keeps the connection for another one or closes it. */
  #release(reusable: boolean): void {
    const upload = this.#upload;
    this.#upload = null;
    upload?.stop();
    this.#call = null;
    if (reusable) this.#idle();
    else this.#wire.close();
    this.#owner.released(this, reusable);
  }

  #idle(): void {
    this.#isKept = true;
    this.#isClientDue = false;
    this.#input.clear();
    this.#wire.expectBytes(this.#idleLimit); // or rather their absence: see `#expired`
    this.#receiving = this.#receive();
  }

  #lose(): void {
    if (this.#wire.isClosed) return;
    this.#wire.close();
    this.#owner.lost(this);
  }

  #expired(direction: "read" | "send"): void {
    const { read, send } = this.#timeouts;
    if (direction === "send") {
      this.abort(this.#faultOf("timeout", `took no bytes for ${send / 1000} s`));
    } else if (this.#call === null) this.#lose();
    else if (this.#isClientDue) {
      this.abort(this.#faultOf("client_aborted", "was asked by a client that takes no answer"));
    } else this.abort(this.#faultOf("timeout", `sent nothing for ${read / 1000} s`));
  }

  // Faults

  /** Whether the other side may have closed the connection before it got the call. */
  #mayHaveEndedIdle(): boolean {
    return this.#isKept && this.#fault === null;
  }

  #cutShort(): UpstreamFault {
    const cause = this.#ending?.cause;
    return this.#faultOf("invalid_response", "closed the connection without an answer", cause);
  }

  #faultOf(kind: UpstreamFaultKind, message: string, cause?: unknown): UpstreamFault {
    return new UpstreamFault(kind, this.#owner.name, message, cause);
  }

  /** Ends the call in progress because of `error`; the fault it failed with. */
  #fail(error: unknown): UpstreamFault {
    if (this.#fault !== null) return this.#fault;
    const fault = this.#asFault(error);
    this.abort(fault);
    return fault;
  }

  #asFault(error: unknown): UpstreamFault {
    if (error instanceof UpstreamFault) return error;
    return error instanceof ProtocolError
      ? this.#faultOf("invalid_response", `sent an answer that ${error.message}`, error)
      : this.#faultOf("invalid_response", "broke the connection", error);
  }
}
