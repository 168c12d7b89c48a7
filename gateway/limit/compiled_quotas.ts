/** Quotas made ready for the request path, as limits are (`compiled_limits.ts`). */
import type { Quota } from "../records/quotas.ts";
import type { Period } from "./calendar.ts";
import type { Hash } from "./keyed_hash.ts";
import { nameHash } from "./names.ts";

export interface CompiledQuota {
  /** Calls that may be made in the period. */
  readonly calls: number;
  readonly period: Period;
  readonly by: Quota["limit_by"];
  /** Of what is counted and over which period: quotas that agree in both share counters. */
  readonly kind: Hash;
}

/** They hold together, in their order. */
export type CompiledQuotas = readonly CompiledQuota[];

/** Most backends and callers have none; they share this list. */
export const noQuotas: CompiledQuotas = [];

export function compileQuotas(quotas: readonly Quota[]): CompiledQuotas {
  if (quotas.length === 0) return noQuotas;
  return quotas.map(({ limit, period, limit_by }) => ({
    calls: limit,
    period,
    by: limit_by,
    kind: nameHash(`quota ${limit_by} ${period}`),
  }));
}
