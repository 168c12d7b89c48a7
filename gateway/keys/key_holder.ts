/** Who holds an API key: what a call needs to know of an API user. */
import { compileRanges, type Range } from "../exchange/client.ts";
import { type CompiledLimits, compileLimits, noLimits } from "../limit/compiled_limits.ts";
import type { ApiUser, UserInput } from "../records/user.ts";

export interface KeyHolder {
  readonly id: string;
  readonly email: string;
  readonly enabled: boolean;
  readonly roles: ReadonlySet<string>;
  readonly settings: UserInput["settings"];
  /** `settings.allowed_ips`, parsed; empty: any address. */
  readonly allowedAddresses: readonly Range[];
  /** The key's own limits, in place of the backend's; null: those of the backend. */
  readonly rateLimits: CompiledLimits | null;
  /** Whether calls are counted by the caller's address even where they are by key. */
  readonly throttleByIp: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A key holder as it lies in the store, under the hash of the key. */
export interface StoredHolder {
  readonly id: string;
  readonly email: string;
  readonly enabled: boolean;
  readonly roles: readonly string[];
  readonly settings: UserInput["settings"];
  /** This and the next are absent in records from before there were these fields. */
  readonly throttle_by_ip?: boolean;
  readonly api_key_preview?: string;
  /** ISO 8601. */
  readonly created_at: string;
}

/** Most holders have no role; they share this set. */
const NO_ROLES: ReadonlySet<string> = new Set();

export function storedHolder(user: ApiUser): StoredHolder {
  const { id, email, enabled, roles, settings, throttle_by_ip, api_key_preview, created_at } = user;
  return { id, email, enabled, roles, settings, throttle_by_ip, api_key_preview, created_at };
}

export function keyHolder(stored: StoredHolder): KeyHolder {
  const { id, email, enabled, roles, settings, throttle_by_ip, created_at } = stored;
  return {
    id,
    email,
    enabled,
    roles: roles.length === 0 ? NO_ROLES : new Set(roles),
    settings,
    allowedAddresses: compileRanges(settings.allowed_ips),
    rateLimits: ownLimits(settings),
    throttleByIp: throttle_by_ip ?? false,
    createdAt: Date.parse(created_at),
  };
}

function ownLimits({ rate_limit_mode, rate_limits }: UserInput["settings"]): CompiledLimits | null {
  if (rate_limit_mode === "unlimited") return noLimits;
  return rate_limit_mode === "custom" ? compileLimits(rate_limits) : null;
}
