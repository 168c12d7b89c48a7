/** Who holds an API key: what a call needs to know of an API user. */
import { compileRanges, type Range } from "../exchange/client.ts";
import { compileReferers, type RefererPattern } from "../exchange/referers.ts";
import { compileOwnLimits, type OwnLimits } from "../limit/own_limits.ts";
import type { ApiUser, UserInput } from "../records/user.ts";

export interface KeyHolder extends OwnLimits {
  readonly id: string;
  readonly email: string;
  readonly enabled: boolean;
  /** From this moment on the key is not taken, in ms since the epoch; `Infinity`: it always is. */
  readonly expiresAt: number;
  readonly emailVerified: boolean;
  readonly roles: ReadonlySet<string>;
  readonly settings: UserInput["settings"];
  /** `settings.allowed_ips`, parsed; empty: any address. */
  readonly allowedAddresses: readonly Range[];
  /** `settings.allowed_referers`, parsed; empty: any page. */
  readonly allowedReferers: readonly RefererPattern[];
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
  /** These are absent in records from before there were these fields. */
  readonly throttle_by_ip?: boolean;
  readonly api_key_preview?: string;
  readonly email_verified?: boolean;
  /** ISO 8601; null: never. */
  readonly expires_at?: string | null;
  /** ISO 8601. */
  readonly created_at: string;
}

/** Most holders have no role; they share this set. */
const NO_ROLES: ReadonlySet<string> = new Set();

export function storedHolder(user: ApiUser): StoredHolder {
  const { id, email, enabled, roles, settings, throttle_by_ip, api_key_preview, created_at } = user;
  const { email_verified, expires_at } = user;
  return {
    id,
    email,
    enabled,
    roles,
    settings,
    throttle_by_ip,
    api_key_preview,
    email_verified,
    expires_at,
    created_at,
  };
}

export function keyHolder(stored: StoredHolder): KeyHolder {
  const { id, email, enabled, roles, settings, throttle_by_ip, created_at, expires_at } = stored;
  return {
    id,
    email,
    enabled,
    expiresAt: expires_at == null ? Infinity : Date.parse(expires_at),
    emailVerified: stored.email_verified ?? false,
    roles: roles.length === 0 ? NO_ROLES : new Set(roles),
    settings,
    allowedAddresses: compileRanges(settings.allowed_ips),
    allowedReferers: compileReferers(settings.allowed_referers ?? []),
    ...compileOwnLimits(settings),
    throttleByIp: throttle_by_ip ?? false,
    createdAt: Date.parse(created_at),
  };
}
