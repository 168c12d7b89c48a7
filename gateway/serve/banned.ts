/**
 * What banned callers get: a few words, held back for a while if the configuration says
 * so, and the word to close their connection. They take no part in what calls may take.
 */
import { Buffer } from "node:buffer";
import type { BanAnswer } from "../compile/bans.ts";
import { CLOSING } from "../exchange/client_bounds.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { OwnAnswer } from "../refusal/render.ts";

/** Answers held back at one time: each keeps a connection, and the banned may open many. */
const HELD_MAX = 100;

export class HeldAnswers {
  readonly #held = new Set<() => void>();

  /** Resolves after `delay` ms; at once when too many are held, or when they are released. */
  async hold(delay: number): Promise<void> {
    if (delay === 0 || this.#held.size >= HELD_MAX) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, delay);
    this.#held.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#held.delete(resolve);
  }

  /** Those who wait go on: nobody waits for them when the server stops. */
  release(): void {
    for (const resolve of this.#held) resolve();
  }
}

export function banAnswer({ status, message }: BanAnswer, { requestId }: Exchange): OwnAnswer {
  return {
    status,
    headers: [
      ["content-type", "text/plain; charset=utf-8"],
      ["cache-control", "no-store"],
      ["x-content-type-options", "nosniff"],
      ["x-request-id", requestId],
      CLOSING,
    ],
    body: `${message}\n`,
    bytes: Buffer.byteLength(message) + 1,
  };
}
