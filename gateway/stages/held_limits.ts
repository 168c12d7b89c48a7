/**
 * Which limits and quotas a call is held to, and whose calls each of them counts. What
 * a key holder has for the backend replaces what it has for all, and that the backend's.
 */
import type { CompiledLimit, CompiledLimits } from "../limit/compiled_limits.ts";
import type { CompiledQuota, CompiledQuotas } from "../limit/compiled_quotas.ts";
import type { Hash } from "../limit/keyed_hash.ts";
import type { BackendLimits } from "../limit/own_limits.ts";
import type { Subjects } from "../limit/subjects.ts";
import type { Call } from "./call.ts";

export interface HeldLimits {
  readonly rates: CompiledLimits;
  /** What the calls are counted under, together with which backends. */
  readonly rateBucket: Hash;
  readonly quotas: CompiledQuotas;
  readonly quotaBucket: Hash;
}

export function heldLimits(call: Call): HeldLimits {
  const { settings, holder } = call;
  const { rateLimitBucket: bucket } = settings;
  const here = holderLimitsHere(call);
  return {
    rates: here?.rateLimits ?? holder?.rateLimits ?? settings.rateLimits,
    rateBucket: here !== undefined && here.rateLimits !== null ? here.bucket : bucket,
    quotas: here?.quotas ?? holder?.quotas ?? settings.quotas,
    quotaBucket: here !== undefined && here.quotas !== null ? here.bucket : bucket,
  };
}

/** What the key holder has for this backend alone; undefined: nothing. */
export function holderLimitsHere({ holder, route }: Call): BackendLimits | undefined {
  return holder?.backendLimits?.get(route.backend.id ?? "");
}

/** Whose calls a limit or quota counts. */
type Rule = Pick<CompiledLimit | CompiledQuota, "by">;

/** A limit that is skipped is neither counted nor told. */
export function isSkipped({ by }: Rule, { settings, holder }: Call): boolean {
  const { anonymousByKey, authenticatedByAddress } = settings;
  return holder === null
    ? by === "api_key" && !anonymousByKey
    : by === "ip" && !authenticatedByAddress;
}

/** Whose calls are counted; each is worked out once a call, and only if it is asked for. */
export class CallSubjects {
  #address: Hash | null = null;
  #key: Hash | null = null;

  constructor(readonly call: Call, readonly subjects: Subjects) {}

  /** The key; without one, or when the rule or the key holder wants it so, the address. */
  of({ by }: Rule): Hash {
    const { holder, exchange } = this.call;
    return by === "api_key" && holder !== null && !holder.throttleByIp
      ? this.#key ??= this.subjects.keyHolder(holder.id)
      : this.#address ??= this.subjects.address(exchange.address);
  }
}
