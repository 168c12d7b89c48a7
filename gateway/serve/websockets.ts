/** The WebSockets that are open, so that none is left behind when the server stops. */
import type { Closing } from "../upstream/websocket_frame.ts";

interface Closable {
  close(closing: Closing): void;
}

export class OpenWebSockets {
  readonly #open = new Set<Closable>();
  #closing: Closing | null = null;

  get count(): number {
    return this.#open.size;
  }

  /** Keeps account of one until it is deleted; closes it at once when all are closed. */
  add(socket: Closable): void {
    if (this.#closing !== null) return socket.close(this.#closing);
    this.#open.add(socket);
  }

  delete(socket: Closable): void {
    this.#open.delete(socket);
  }

  /** Closes those that are open. */
  closeOpen(closing: Closing): void {
    for (const socket of this.#open) socket.close(closing);
  }

  /** Closes those that are open, and those that are still to come. */
  closeAll(closing: Closing): void {
    this.#closing = closing;
    this.closeOpen(closing);
  }
}
