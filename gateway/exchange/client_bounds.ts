/** What a client may do once its request's head was read: how much it sends, how long it takes. */
import { Refusal } from "../refusal/refusals.ts";
import type { BodyBounds, BodyFault } from "./body_reader.ts";

export interface ClientBounds {
  readonly body: BodyBounds;
  /** Longest time in which it takes nothing of an answer that is there, in ms. */
  readonly answerStall: number;
}

/** The keys of the configuration's section `client` that are about this. */
export interface ClientLimits {
  readonly body_timeout_seconds: number;
  readonly body_min_bytes_per_second: number;
  readonly send_timeout_seconds: number;
}

/** @param bodyMaxBytes null for any number */
export function clientBounds(limits: ClientLimits, bodyMaxBytes: number | null): ClientBounds {
  const { body_timeout_seconds, body_min_bytes_per_second } = limits;
  return {
    body: {
      maxBytes: bodyMaxBytes ?? Infinity,
      period: body_timeout_seconds * 1000,
      minBytes: Math.max(1, body_timeout_seconds * body_min_bytes_per_second),
    },
    answerStall: limits.send_timeout_seconds * 1000,
  };
}

/** For an answer after which the connection is of no more use. */
export const CLOSING = ["connection", "close"] as const;
/** In seconds. */
export const RETRY_SOON = ["retry-after", "1"] as const;

/** What a client is told whose body was not taken whole. */
export function bodyRefusal(
  fault: Exclude<BodyFault, "client_aborted">,
  { maxBytes }: BodyBounds,
): Refusal {
  switch (fault) {
    case "body_stalled":
      return new Refusal("REQUEST_TIMEOUT", "", [CLOSING]);
    case "body_too_large":
      return new Refusal("CONTENT_TOO_LARGE", `At most ${maxBytes} bytes are taken.`, [CLOSING]);
    case "body_cut":
      return new Refusal("SERVER_BUSY", "", [CLOSING, RETRY_SOON]);
  }
}
