/** What carrying out a call's verdict works with, besides the verdict. */
import type { AnswerCache } from "../cache/answer_cache.ts";
import type { Configuration } from "../config/configuration.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Logger } from "../process/logger.ts";
import type { ErrorAnswers } from "../refusal/error_answers.ts";
import type { Admitted, Verdict } from "../stages/pipeline.ts";
import type { Outcome } from "./log_entry.ts";
import type { OpenWebSockets } from "./websockets.ts";

export interface CallContext {
  readonly exchange: Exchange;
  /** As it came. Its signal aborts when the client has gone away. */
  readonly request: Request;
  /** To be told once, when the call is over. */
  readonly ended: (exchange: Exchange, verdict: Verdict, outcome: Outcome) => void;
  /** Null: answers are not kept. */
  readonly cache: AnswerCache | null;
  readonly log: Logger;
  readonly config: Configuration;
  /** What refusals say that are no backend's. */
  readonly errors: ErrorAnswers;
  readonly webSockets: OpenWebSockets;
}

/** Tells the server's log, for whoever runs it, that an upstream is to blame for a call's end. */
export function warnOfUpstream(
  error: Error,
  verdict: Admitted,
  { exchange, log }: CallContext,
): void {
  log.warn("an upstream failed", {
    request_id: exchange.requestId,
    backend: verdict.route.backend.name,
    reason: error.message,
  });
}
