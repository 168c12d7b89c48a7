/**
 * The handler in front of everything: Portico's own pages are asked for at the
 * isolate that has them, every other request is a call that is decided on,
 * forwarded and recorded.
 */
import type { AnswerCache } from "../cache/answer_cache.ts";
import type { BanAnswer } from "../compile/bans.ts";
import type { CompiledConfiguration } from "../compile/configuration.ts";
import type { Configuration } from "../config/configuration.ts";
import { CLOSING, RETRY_SOON } from "../exchange/client_bounds.ts";
import { type Exchange, isMalformed, type Malformed, readExchange } from "../exchange/exchange.ts";
import type { KeyLookup } from "../keys/key_lookup.ts";
import type { RateLimiter } from "../limit/rate_limiter.ts";
import type { Collector } from "../logs/collector.ts";
import type { Logger } from "../process/logger.ts";
import { Refusal } from "../refusal/refusals.ts";
import { attempted, settled } from "../settled.ts";
import { decide, refused } from "../stages/pipeline.ts";
import { banAnswer, HeldAnswers } from "./banned.ts";
import { CallCap } from "./call_cap.ts";
import type { CallContext } from "./call_context.ts";
import { carryOut } from "./carry_out.ts";
import { isolateCount } from "./isolate_count.ts";
import { logEntry } from "./log_entry.ts";
import { refusalResponse } from "./own_answers.ts";
import { type OwnPageRequest, OwnPages } from "./own_pages.ts";
import { isOwnPage } from "./own_paths.ts";
import { responseOf } from "./response.ts";
import { OpenWebSockets } from "./websockets.ts";

/** What the gateway works with for as long as it lives. */
export interface GatewayParts {
  readonly keys: KeyLookup;
  readonly limiter: RateLimiter;
  /** Null: answers are not kept. */
  readonly cache: AnswerCache | null;
  readonly callLog: Collector;
  /** Answers a request for one of Portico's own pages. */
  readonly page: (request: OwnPageRequest) => Promise<Response>;
  /** Has another isolate take this one's place, which is drained then. */
  readonly replace: (reason: string) => void;
  readonly log: Logger;
}

const HEALTH_PATH = "/portico/health";

export class Gateway {
  /** Those of calls that have become one. */
  readonly webSockets = new OpenWebSockets();
  readonly #parts: GatewayParts;
  #config: Configuration;
  #compiled: CompiledConfiguration;
  readonly #calls: CallCap;
  readonly #ended: CallContext["ended"] = (exchange, verdict, outcome) => {
    this.#calls.ended(exchange.address);
    if (verdict.settings?.isRecorded === false) return;
    this.#parts.callLog.record(logEntry(exchange, verdict, outcome));
  };
  readonly #held = new HeldAnswers();
  readonly #pages: OwnPages;
  #draining = false;

  constructor(parts: GatewayParts, config: Configuration, compiled: CompiledConfiguration) {
    this.#parts = parts;
    this.#config = config;
    this.#compiled = compiled;
    this.#calls = new CallCap(config.client, isolateCount(config));
    this.#pages = new OwnPages(parts.page);
  }

  /** Calls in flight. */
  get calls(): number {
    return this.#calls.calls;
  }

  /** Makes a newly compiled configuration live; calls already decided go on under the old one. */
  use(config: Configuration, compiled: CompiledConfiguration): void {
    this.#config = config;
    this.#compiled = compiled;
    this.#calls.use(config.client, isolateCount(config));
  }

  /**
   * WebSockets, which would not end by themselves, are told to go elsewhere. If the whole
   * server stops, calls are turned away as well, and the health check answers 503, so
   * that a load balancer looks elsewhere too.
   */
  drain(serverStops: boolean): void {
    this.#draining = serverStops;
    this.#held.release();
    this.webSockets.closeAll({ code: 1001, reason: "The server is going down" });
  }

  /** Answers one request; never throws. */
  handle(
    request: Request,
    info: Deno.ServeHandlerInfo<Deno.NetAddr>,
    scheme: "http" | "https",
  ): Response | Promise<Response> {
    const read = readExchange(request, {
      peer: info.remoteAddr.hostname,
      scheme,
      entrance: this.#compiled.entrance,
      headBounds: this.#compiled.headBounds,
    });
    const exchange = isMalformed(read) ? read.exchange : read;
    const context = this.#context(exchange, request);
    const answer = attempted(
      () => this.#answer(read, context, info),
      (error) => this.#failed(error, context),
    );
    const policy = this.#strictTransport(exchange);
    if (policy === undefined) return answer;
    return settled(answer, (response) => {
      response.headers.set("strict-transport-security", policy);
      return response;
    });
  }

  /** What browsers are told about HTTPS at this host; over plain HTTP nobody is (RFC 6797 §7.2). */
  #strictTransport({ scheme, host }: Exchange): string | undefined {
    return scheme === "https" ? this.#compiled.strictTransport?.find(host) : undefined;
  }

  #answer(
    read: Exchange | Malformed,
    context: CallContext,
    info: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Response | Promise<Response> {
    const { exchange } = context;
    const { bans } = this.#compiled;
    if (bans !== null && bans.holdFor(exchange) && exchange.path !== HEALTH_PATH) {
      return this.#banned(exchange, bans.answer);
    }
    if (!isMalformed(read) && isOwnPage(exchange, this.#compiled)) {
      return exchange.path === HEALTH_PATH
        ? this.#health()
        : this.#pages.answer(context, info.remoteAddr, this.#compiled.clientBounds.body);
    }
    const excess = this.#calls.began(exchange.address);
    const refusal = isMalformed(read) ? read.refusal : this.#refusalWhileDraining() ?? excess;
    if (refusal !== null) return carryOut(refused(refusal), context);
    const verdict = decide(exchange, {
      configuration: this.#compiled,
      keys: this.#parts.keys,
      limiter: this.#parts.limiter,
    });
    return verdict instanceof Promise
      ? verdict.then((verdict) => carryOut(verdict, context))
      : carryOut(verdict, context);
  }

  /** Something is wrong with Portico itself. */
  #failed(error: unknown, context: CallContext): Response | Promise<Response> {
    const { exchange } = context;
    this.#parts.log.error("a request failed", {
      request_id: exchange.requestId,
      error: String(error),
    });
    const refusal = new Refusal("INTERNAL_SERVER_ERROR");
    return isOwnPage(exchange, this.#compiled)
      ? refusalResponse(refusal, context)
      : carryOut(refused(refusal), context);
  }

  #context(exchange: Exchange, request: Request): CallContext {
    return {
      exchange,
      request,
      ended: this.#ended,
      cache: this.#parts.cache,
      log: this.#parts.log,
      config: this.#config,
      errors: this.#compiled.errors,
      webSockets: this.webSockets,
    };
  }

  async #banned(exchange: Exchange, ban: BanAnswer): Promise<Response> {
    await this.#held.hold(ban.delay);
    const { status, headers, body, bytes } = banAnswer(ban, exchange);
    this.#parts.callLog.record(logEntry(exchange, refused(new Refusal("BANNED", ban.message)), {
      status,
      requestBytes: 0,
      responseBytes: exchange.method === "HEAD" ? 0 : bytes,
      responseHeaders: headers,
    }));
    return responseOf(status, headers, body);
  }

  /**
   * Sockets stay open until the bodies that come over them were read; who
   * comes meanwhile is too late.
   */
  #refusalWhileDraining(): Refusal | null {
    return this.#draining ? new Refusal("SERVER_BUSY", "", [CLOSING, RETRY_SOON]) : null;
  }

  #health(): Response {
    const status = this.#draining ? "draining" : "ok";
    return Response.json({ status }, {
      status: this.#draining ? 503 : 200,
      headers: { "cache-control": "no-store" },
    });
  }
}
