/**
 * The handler in front of everything: Portico's own pages are asked for at the
 * isolate that has them, every other request is a call that is decided on,
 * forwarded and recorded.
 */
import type { CompiledConfiguration } from "../compile/configuration.ts";
import type { Configuration } from "../config/configuration.ts";
import { type ClientFacts, isDirect } from "../exchange/client.ts";
import { type Exchange, isMalformed, readExchange } from "../exchange/exchange.ts";
import type { PageRequest } from "../isolates/questions.ts";
import type { KeyLookup } from "../keys/key_lookup.ts";
import type { RateLimiter } from "../limit/rate_limiter.ts";
import type { Collector } from "../logs/collector.ts";
import type { Logger } from "../process/logger.ts";
import { Refusal } from "../refusal/refusals.ts";
import { decide, refused } from "../stages/pipeline.ts";
import { type CallContext, carryOut, refusalResponse } from "./carry_out.ts";
import { baseUrl } from "./links.ts";
import { isOwnPath } from "./own_paths.ts";
import { OpenWebSockets } from "./websockets.ts";

/** What the gateway works with for as long as it lives. */
export interface GatewayParts {
  readonly keys: KeyLookup;
  readonly limiter: RateLimiter;
  readonly callLog: Collector;
  /** Answers a request for one of Portico's own pages. */
  readonly page: (request: PageRequest) => Promise<Response>;
  readonly log: Logger;
}

const HEALTH_PATH = "/portico/health";

export class Gateway {
  readonly #parts: GatewayParts;
  #config: Configuration;
  #compiled: CompiledConfiguration;
  readonly #webSockets = new OpenWebSockets();
  #draining = false;

  constructor(parts: GatewayParts, config: Configuration, compiled: CompiledConfiguration) {
    this.#parts = parts;
    this.#config = config;
    this.#compiled = compiled;
  }

  /** Makes a newly compiled configuration live; calls already decided go on under the old one. */
  use(config: Configuration, compiled: CompiledConfiguration): void {
    this.#config = config;
    this.#compiled = compiled;
  }

  /**
   * From now on the health check answers 503, so that a load balancer looks elsewhere, and
   * WebSockets, which would not end by themselves, are told to go there as well.
   */
  drain(): void {
    this.#draining = true;
    this.#webSockets.closeAll(1001, "The server is going down");
  }

  /** Answers one request; never throws. */
  async handle(
    request: Request,
    info: Deno.ServeHandlerInfo<Deno.NetAddr>,
    scheme: "http" | "https",
  ): Promise<Response> {
    const read = readExchange(request, {
      peer: info.remoteAddr.hostname,
      scheme,
      trustedProxies: this.#compiled.trustedProxies,
      headBounds: this.#compiled.headBounds,
    });
    const exchange = isMalformed(read) ? read.exchange : read;
    const context = this.#context(exchange, request);
    try {
      if (isMalformed(read)) return await carryOut(refused(read.refusal), context);
      if (isOwnPath(exchange.path)) return await this.#own(exchange, info);
      const verdict = decide(exchange, {
        configuration: this.#compiled,
        keys: this.#parts.keys,
        limiter: this.#parts.limiter,
      });
      return await carryOut(verdict instanceof Promise ? await verdict : verdict, context);
    } catch (error) {
      this.#parts.log.error("a request failed", {
        request_id: exchange.requestId,
        error: String(error),
      });
      const refusal = new Refusal("INTERNAL_SERVER_ERROR");
      return isOwnPath(exchange.path)
        ? refusalResponse(refusal, context)
        : carryOut(refused(refusal), context);
    }
  }

  #context(exchange: Exchange, request: Request): CallContext {
    const { callLog, log } = this.#parts;
    const webSockets = this.#webSockets;
    return { exchange, request, callLog, log, config: this.#config, webSockets };
  }

  /** Portico's own pages, REST API and health check. */
  async #own(
    exchange: Exchange,
    { remoteAddr }: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Promise<Response> {
    if (exchange.path === HEALTH_PATH) return this.#health();
    const client: ClientFacts = {
      address: exchange.address,
      scheme: exchange.scheme,
      host: exchange.authority,
      baseUrl: baseUrl(this.#config, exchange),
      requestId: exchange.requestId,
      direct: isDirect(exchange.headers, remoteAddr.hostname, exchange.host),
    };
    const { method, headers, body } = exchange;
    const { transport, hostname, port } = remoteAddr;
    const peer = { transport, hostname, port };
    return await this.#parts.page({
      method,
      url: canonicalUrl(exchange),
      headers: [...headers],
      body,
      peer,
      client,
    });
  }

  #health(): Response {
    const status = this.#draining ? "draining" : "ok";
    return Response.json({ status }, {
      status: this.#draining ? 503 : 200,
      headers: { "cache-control": "no-store" },
    });
  }
}

/** With the canonical path: what was decided on is what is routed. */
function canonicalUrl({ scheme, authority, path, query }: Exchange): string {
  return `${scheme}://${authority}${path}${query === null ? "" : `?${query}`}`;
}
