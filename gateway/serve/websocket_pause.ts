/**
 * Makes the runtime stop reading a WebSocket that it serves, so that TCP holds the
 * client back while the upstream takes nothing. Deno has no interface for that: its
 * reading loop takes the next message as soon as the handler of the one before has
 * returned. But the loop ends when it finds the socket closed, and can be started anew.
 * Both are reached by the names of symbols, tried on Deno 2.9.6. On a runtime that has
 * them no more, nothing pauses, and the relay's bound on what is queued closes instead.
 */

/** Undefined when `target` has no property by a symbol with that description. */
function symbolOf(target: object, description: string): symbol | undefined {
  return Object.getOwnPropertySymbols(target).find((symbol) => symbol.description === description);
}

type Pausable = Pick<WebSocket, "readyState">;

export class WebSocketPause {
  readonly #socket: Pausable;
  readonly #readyState: symbol | undefined;
  #isPaused = false;
  /** Whether the socket passes for closed at the moment. */
  #isPosing = false;

  constructor(socket: Pausable) {
    this.#socket = socket;
    this.#readyState = symbolOf(socket, "[[readyState]]");
  }

  /** To be called as the last thing that a message's handler does. */
  begin(): void {
    if (this.#isPaused || this.#readyState === undefined || readingLoop === null) return;
    if (this.#socket.readyState !== WebSocket.OPEN) return;
    this.#isPaused = this.#isPosing = true;
    Reflect.set(this.#socket, this.#readyState, WebSocket.CLOSED);
    // The loop looks when the handler returns, which is before any microtask.
    queueMicrotask(() => this.endPose());
  }

  /** Reads on; does nothing when there is no pause. */
  end(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.endPose();
    readingLoop?.call(this.#socket);
  }

  /** To be called before anything is sent: what goes to a closed socket is lost without a word. */
  endPose(): void {
    if (!this.#isPosing || this.#readyState === undefined) return;
    this.#isPosing = false;
    Reflect.set(this.#socket, this.#readyState, WebSocket.OPEN);
  }
}

/** The runtime's own; what it gives never rejects. */
const readingLoop: ((this: Pausable) => unknown) | null = loopOf(WebSocket.prototype);

function loopOf(prototype: object): ((this: Pausable) => unknown) | null {
  const symbol = symbolOf(prototype, "[[eventLoop]]");
  const loop = symbol === undefined ? undefined : Reflect.get(prototype, symbol);
  return typeof loop === "function" ? loop : null;
}
