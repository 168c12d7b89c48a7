/**
 * Limits and quotas of all layers merged: a list replaces that of the layers below it,
 * and an empty one inherits. No limits at all takes the word "unlimited", which lifts
 * the quotas of its layer and of those below it too.
 */
import { type CompiledLimits, compileLimits, noLimits } from "../limit/compiled_limits.ts";
import { type CompiledQuotas, compileQuotas, noQuotas } from "../limit/compiled_quotas.ts";
import type { LayerName, Layers, StoredSettings } from "./layers.ts";

/** The nearest layer with a mode has the limits, else the defaults. */
export function compileRateLimits(layers: Layers): CompiledLimits {
  const { rate_limit_mode, rate_limits } = layers.nearest("rate_limit_mode") ?? layers.defaults;
  return rate_limit_mode === "unlimited" ? noLimits : compileLimits(rate_limits ?? []);
}

/** The layer whose limits hold, or whose word it is that none do. */
export function rateLimitsFrom(layers: Layers): LayerName {
  const source = layers.sourceOf("rate_limit_mode");
  return source === "server" ? "default" : source;
}

export function compileLayeredQuotas(layers: Layers): CompiledQuotas {
  const [, deciding] = layers.find(decidesOnQuotas) ?? [];
  if (deciding === undefined || deciding.rate_limit_mode === "unlimited") return noQuotas;
  return compileQuotas(deciding.quotas ?? []);
}

/** The layer whose quotas hold, or whose word it is that none do. */
export function quotasFrom(layers: Layers): LayerName {
  return layers.find(decidesOnQuotas)?.[0] ?? "server";
}

function decidesOnQuotas({ rate_limit_mode, quotas = [] }: StoredSettings): boolean {
  return rate_limit_mode === "unlimited" || quotas.length > 0;
}
