/**
 * Carries messages between a client's WebSocket and an upstream's until one of them
 * closes, and tells the other how. Both are held back by the one that is slower: an
 * upstream is not read while its client has much to take, and the other way round.
 *
 * Of a client, Deno gives whole messages. One frame is less than 64 MiB, but a message in
 * fragments grows without bound until it is whole: see `websocket_memory.ts`.
 */
import { Buffer } from "node:buffer";
import { UpstreamFault } from "../upstream/faults.ts";
import type { Tunnel } from "../upstream/tunnel.ts";
import { type Message, UpstreamWebSocket } from "../upstream/websocket.ts";
import { BINARY, type Closing, TEXT } from "../upstream/websocket_frame.ts";
import { WebSocketError } from "../upstream/websocket_reader.ts";
import { WebSocketPause } from "./websocket_pause.ts";

/** Most bytes of a message, either way. */
const MESSAGE_LIMIT = 16 * 1_048_576;
/** Bytes that wait for one side, from which on the other one is not read. */
const QUEUE_BYTES = 1_048_576;
/** Bytes that are too many to wait, should the runtime not let itself be held back. */
const QUEUE_LIMIT = 4 * MESSAGE_LIMIT;
/** Messages that a side gets through without a turn for others: about a millisecond's work. */
const MESSAGES_A_TURN = 256;
/** The runtime does not tell when a client has taken bytes: ms between two looks. */
const LOOK_PERIOD = 10;

/**
 * How it ended, for the log:
 * - `closed_1000` and the like: one side closed, with that code; 1005 stands for none
 * - `client_lost`, `upstream_lost`: one side went without a word, or gave no sign of life
 * - `client_stalled`: it took nothing for as long as its time-out says
 * - `upstream_invalid`: the upstream broke the protocol
 * - `message_too_big`: one side's message is beyond `MESSAGE_LIMIT`
 * - `queue_too_long`: the upstream took too little of what the client sent
 */
export type RelayEnd =
  | `closed_${number}`
  | "client_lost"
  | "client_stalled"
  | "message_too_big"
  | "queue_too_long"
  | "upstream_invalid"
  | "upstream_lost";

const GOING_AWAY: Closing = { code: 1001, reason: "" };
/** Stands for a Close without a code (RFC 6455 §7.1.5). */
const NO_CODE = 1005;

/** The part of a server's WebSocket that a relay needs. */
export type ClientSocket = Pick<
  WebSocket,
  | "bufferedAmount"
  | "close"
  | "onclose"
  | "onerror"
  | "onmessage"
  | "onopen"
  | "readyState"
  | "send"
>;

export interface RelayOptions {
  /** Not open yet. */
  readonly client: ClientSocket;
  /** How long the client may take nothing, in ms. */
  readonly clientStall: number;
  /** Switched to WebSocket. */
  readonly tunnel: Tunnel;
  /** Called once; with an error when it was the upstream's fault. */
  readonly onEnd: (end: RelayEnd, error: Error | null) => void;
}

export class WebSocketRelay {
  /** Bytes of the messages that each side has sent. */
  requestBytes = 0;
  responseBytes = 0;
  readonly #client: ClientSocket;
  readonly #clientPause: WebSocketPause;
  readonly #upstream: UpstreamWebSocket;
  /** In ms. */
  readonly #clientStall: number;
  readonly #onEnd: RelayOptions["onEnd"];
  /** Messages of the client since the last turn for others, and whether there is one now. */
  #messages = 0;
  #isOthersTurn = false;
  #isOver = false;

  constructor({ client, clientStall, tunnel, onEnd }: RelayOptions) {
    this.#client = client;
    this.#clientStall = clientStall;
    this.#clientPause = new WebSocketPause(client);
    this.#upstream = new UpstreamWebSocket(tunnel, {
      messageLimit: MESSAGE_LIMIT,
      onTaken: () => this.#readOn(),
    });
    this.#onEnd = onEnd;
    client.onopen = () => void this.#passOnAnswers();
    client.onmessage = ({ data }) => this.#passOn(data);
    client.onclose = (event) => this.#clientClosed(event);
    client.onerror = () => this.#clientLost(); // the only event when it does not open
  }

  /** Closes both sides. */
  close(closing: Closing): void {
    if (!this.#over(`closed_${closing.code ?? NO_CODE}`)) return;
    this.#closeClient(closing);
    this.#upstream.close(closing);
  }

  // From the client to the upstream

  #passOn(data: string | ArrayBuffer): void {
    if (this.#isOver) return;
    const isText = typeof data === "string";
    const content = isText ? Buffer.from(data) : new Uint8Array(data);
    if (content.length > MESSAGE_LIMIT) return this.#refuse("message_too_big", 1009);
    this.requestBytes += content.length;
    this.#upstream.send(isText ? TEXT : BINARY, content);
    const { queuedBytes } = this.#upstream;
    if (queuedBytes > QUEUE_LIMIT) this.#refuse("queue_too_long", 1013);
    else if (queuedBytes > QUEUE_BYTES) this.#clientPause.begin();
    else if (++this.#messages >= MESSAGES_A_TURN) this.#letOthersHaveTheirTurn();
  }

  /**
   * The runtime reads on without one as long as messages are there: a single client that
   * sends many small ones would keep all other calls of this isolate from being served.
   */
  #letOthersHaveTheirTurn(): void {
    this.#messages = 0;
    this.#isOthersTurn = true;
    this.#clientPause.begin();
    setTimeout(() => {
      this.#isOthersTurn = false;
      this.#readOn();
    }, 0);
  }

  #readOn(): void {
    if (this.#isOthersTurn || this.#upstream.queuedBytes > QUEUE_BYTES) return;
    this.#clientPause.end();
  }

  #clientClosed({ wasClean, code, reason }: CloseEvent): void {
    if (!wasClean) return this.#clientLost();
    if (!this.#over(`closed_${code}`)) return;
    this.#upstream.close({ code: code === NO_CODE ? null : code, reason });
  }

  /** The upstream gets no Close either: nobody has said one. */
  #clientLost(): void {
    if (this.#over("client_lost")) this.#upstream.abort();
  }

  /** The client has sent more than is carried. */
  #refuse(end: "message_too_big" | "queue_too_long", code: number): void {
    if (!this.#over(end)) return;
    this.#closeClient({ code, reason: "" });
    this.#upstream.close(GOING_AWAY);
  }

  // From the upstream to the client

  /** Passes on until the upstream closes; never rejects. */
  async #passOnAnswers(): Promise<void> {
    try {
      for (let messages = 1;; messages++) {
        const received = await this.#upstream.receive();
        if (received === null) return this.#upstreamFailed("upstream_lost", null);
        if (received.kind === "close") return this.#upstreamClosed(received.closing);
        if (!this.#isOver) await this.#sendToClient(received);
        if (messages % MESSAGES_A_TURN === 0) await othersTurn();
      }
    } catch (error) {
      if (error instanceof WebSocketError) this.#upstreamFailed(faultOf(error), error);
      else if (error instanceof UpstreamFault) this.#upstreamFailed("upstream_lost", error);
      else throw error;
    }
  }

  async #sendToClient(message: Message): Promise<void> {
    this.#clientPause.endPose();
    this.#client.send(message.kind === "text" ? message.text : message.bytes);
    this.responseBytes += message.size;
    if (this.#client.bufferedAmount > QUEUE_BYTES) await this.#clientTakes();
  }

  /**
   * Waits until the client has taken enough. What is left of a message that it has taken
   * in part is not known, so that it has its time for each MiB that waits.
   */
  async #clientTakes(): Promise<void> {
    const client = this.#client;
    let left = client.bufferedAmount;
    let since = performance.now();
    while (!this.#isOver && client.bufferedAmount > QUEUE_BYTES) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_PERIOD));
      const now = performance.now();
      if (client.bufferedAmount < left) {
        left = client.bufferedAmount;
        since = now;
      } else if (now - since > this.#clientStall * left / QUEUE_BYTES) this.#clientStalled();
    }
  }

  #clientStalled(): void {
    if (!this.#over("client_stalled")) return;
    this.#closeClient(GOING_AWAY);
    this.#upstream.close(GOING_AWAY);
  }

  #upstreamClosed(closing: Closing): void {
    if (this.#over(`closed_${closing.code ?? NO_CODE}`)) this.#closeClient(closing);
  }

  /** To end a client's connection without a Close is not in our hands: it gets one that says so. */
  #upstreamFailed(end: RelayEnd, error: Error | null): void {
    if (!this.#over(end, error)) return;
    const code = end === "message_too_big" ? 1009 : 1011;
    this.#closeClient({ code, reason: "The upstream failed" });
  }

  // The end

  /** False when it was over before. */
  #over(end: RelayEnd, error: Error | null = null): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#onEnd(end, error);
    return true;
  }

  #closeClient({ code, reason }: Closing): void {
    const client = this.#client;
    const close = () => code === null ? client.close() : client.close(code, reason);
    if (client.readyState === WebSocket.CONNECTING) client.onopen = close;
    this.#clientPause.end(); // for the client's Close
    close();
  }
}

/** As long as there is more to read, awaiting it alone gives nobody else a turn. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

function faultOf({ code }: WebSocketError): RelayEnd {
  return code === 1009 ? "message_too_big" : "upstream_invalid";
}
