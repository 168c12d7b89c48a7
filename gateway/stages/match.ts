/** Stage 1: which backend a call is for. */
import type { CompiledConfiguration, Route } from "../compile/configuration.ts";
import type { Exchange } from "../exchange/exchange.ts";

/** The route with the longest matching prefix, or none. */
export function match(exchange: Exchange, configuration: CompiledConfiguration): Route | undefined {
  return configuration.routes.find(exchange.host, exchange.path);
}
