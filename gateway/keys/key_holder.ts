/** Who holds an API key: what a call needs to know of an API user. */
import { compileRanges, type Range } from "../exchange/client.ts";
import type { ApiUser, UserInput } from "../records/user.ts";

export interface KeyHolder {
  readonly id: string;
  readonly email: string;
  readonly enabled: boolean;
  readonly roles: ReadonlySet<string>;
  readonly settings: UserInput["settings"];
  /** `settings.allowed_ips`, parsed; empty: any address. */
  readonly allowedAddresses: readonly Range[];
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
  /** ISO 8601. */
  readonly created_at: string;
}

/** Most holders have no role; they share this set. */
const NO_ROLES: ReadonlySet<string> = new Set();

export function storedHolder(user: ApiUser): StoredHolder {
  const { id, email, enabled, roles, settings, created_at } = user;
  return { id, email, enabled, roles, settings, created_at };
}

export function keyHolder(stored: StoredHolder): KeyHolder {
  const { id, email, enabled, roles, settings, created_at } = stored;
  return {
    id,
    email,
    enabled,
    roles: roles.length === 0 ? NO_ROLES : new Set(roles),
    settings,
    allowedAddresses: compileRanges(settings.allowed_ips),
    createdAt: Date.parse(created_at),
  };
}
