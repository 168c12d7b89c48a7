/**
 * The handler in front of everything: Portico's own pages go to the web app,
 * every other request is a call that is decided on, forwarded and recorded.
 */
import type { CompiledConfiguration } from "../compile/configuration.ts";
import { type ClientFacts, isDirect } from "../exchange/client.ts";
import { type Exchange, isMalformed, readExchange } from "../exchange/exchange.ts";
import { RateLimiter } from "../limit/rate_limiter.ts";
import type { Portico } from "../portico.ts";
import { Refusal } from "../refusal/refusals.ts";
import { decide, refused } from "../stages/pipeline.ts";
import { type CallContext, carryOut, refusalResponse } from "./carry_out.ts";
import { baseUrl } from "./links.ts";
import { isOwnPath } from "./own_paths.ts";

/** What the web app gets besides the request; it reaches pages as `ctx.info`. */
export interface WebInfo extends Deno.ServeHandlerInfo<Deno.NetAddr> {
  readonly portico: Portico;
  readonly client: ClientFacts;
}

export type WebHandler = (request: Request, info: WebInfo) => Response | Promise<Response>;

const HEALTH_PATH = "/portico/health";

export class Gateway {
  #portico: Portico;
  readonly #web: WebHandler;
  readonly #limiter = new RateLimiter();
  #configuration: CompiledConfiguration;
  #draining = false;

  constructor(portico: Portico, web: WebHandler, configuration: CompiledConfiguration) {
    this.#portico = portico;
    this.#web = web;
    this.#configuration = configuration;
  }

  /** Makes a newly compiled configuration live; calls already decided go on under the old one. */
  use(portico: Portico, configuration: CompiledConfiguration): void {
    this.#portico = portico;
    this.#configuration = configuration;
  }

  /** From now on the health check answers 503, so that a load balancer looks elsewhere. */
  drain(): void {
    this.#draining = true;
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
      trustedProxies: this.#configuration.trustedProxies,
    });
    const exchange = isMalformed(read) ? read.exchange : read;
    const context = this.#context(exchange, request);
    try {
      if (isMalformed(read)) return await carryOut(refused(read.refusal), context);
      if (isOwnPath(exchange.path)) return await this.#own(exchange, request, info);
      const verdict = decide(exchange, {
        configuration: this.#configuration,
        keys: this.#portico.keys,
        limiter: this.#limiter,
      });
      return await carryOut(verdict instanceof Promise ? await verdict : verdict, context);
    } catch (error) {
      this.#portico.log.error("a request failed", {
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
    const { callLog, log, config } = this.#portico;
    return { exchange, signal: () => request.signal, callLog, log, config };
  }

  /** Portico's own pages, REST API and health check. */
  async #own(
    exchange: Exchange,
    request: Request,
    info: Deno.ServeHandlerInfo<Deno.NetAddr>,
  ): Promise<Response> {
    if (exchange.path === HEALTH_PATH) return this.#health();
    const client: ClientFacts = {
      address: exchange.address,
      scheme: exchange.scheme,
      host: exchange.authority,
      baseUrl: baseUrl(this.#portico.config, exchange),
      requestId: exchange.requestId,
      direct: isDirect(exchange.headers, info.remoteAddr.hostname, exchange.host),
    };
    const response = await this.#web(canonicalRequest(request, exchange), {
      remoteAddr: info.remoteAddr,
      completed: info.completed,
      portico: this.#portico,
      client,
    });
    response.headers.set("x-request-id", exchange.requestId);
    return response;
  }

  #health(): Response {
    const status = this.#draining ? "draining" : "ok";
    return Response.json({ status }, {
      status: this.#draining ? 503 : 200,
      headers: { "cache-control": "no-store" },
    });
  }
}

/** The request with the canonical path in its URL: what was decided on is what is routed. */
function canonicalRequest(request: Request, { path, query }: Exchange): Request {
  const pathStart = request.url.indexOf("/", request.url.indexOf("://") + 3);
  const target = query === null ? path : `${path}?${query}`;
  if (pathStart !== -1 && request.url.slice(pathStart) === target) return request;
  const origin = pathStart === -1 ? request.url : request.url.slice(0, pathStart);
  return new Request(origin + target, request);
}
