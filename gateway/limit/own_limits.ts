/**
 * A key holder's own limits and quotas, made ready for the request path. They stand in
 * place of the backend's; those for one backend stand in place of all others there.
 */
import type { UserInput } from "../records/user.ts";
import { compileBucket, type CompiledLimits, compileLimits, noLimits } from "./compiled_limits.ts";
import { type CompiledQuotas, compileQuotas, noQuotas } from "./compiled_quotas.ts";
import type { Hash } from "./keyed_hash.ts";

/** Null: those that hold anyway. */
interface Replacing {
  readonly rateLimits: CompiledLimits | null;
  readonly quotas: CompiledQuotas | null;
}

export interface BackendLimits extends Replacing {
  /** The backend's alone, so that calls to another one do not use these up. */
  readonly bucket: Hash;
}

export interface OwnLimits extends Replacing {
  /**
   * By the backend's id; null for the many who have none. An id may be
   * of a backend that is gone.
   */
  readonly backendLimits: ReadonlyMap<string, BackendLimits> | null;
}

type Settings = UserInput["settings"];

/** Records of before there were these fields lack them. */
export type StoredLimits =
  & Pick<Settings, "rate_limit_mode" | "rate_limits">
  & Partial<Pick<Settings, "quotas" | "backend_limits">>;

export function compileOwnLimits(settings: StoredLimits): OwnLimits {
  const forBackends = settings.backend_limits ?? [];
  return {
    ...replacing(settings),
    backendLimits: forBackends.length === 0 ? null : new Map(forBackends.map(forBackend)),
  };
}

function forBackend(
  limits: Settings["backend_limits"][number],
): [id: string, limits: BackendLimits] {
  const { backend_id } = limits;
  return [backend_id, { ...replacing(limits), bucket: compileBucket(backend_id) }];
}

/** Lifting all limits takes the word "unlimited"; an empty list inherits. */
function replacing({ rate_limit_mode, rate_limits, quotas = [] }: StoredLimits): Replacing {
  if (rate_limit_mode === "unlimited") return { rateLimits: noLimits, quotas: noQuotas };
  return {
    rateLimits: rate_limit_mode === "custom" ? compileLimits(rate_limits) : null,
    quotas: quotas.length === 0 ? null : compileQuotas(quotas),
  };
}
