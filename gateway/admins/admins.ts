/** Puts the parts that know admins together: accounts, their sessions and tokens. */
import type { Configuration } from "../config/configuration.ts";
import type { Logger } from "../process/logger.ts";
import type { Store } from "../store/store.ts";
import { AccountRecords } from "./account_records.ts";
import { Accounts } from "./accounts.ts";
import { AttemptThrottle } from "./attempt_throttle.ts";
import { PasswordHasher } from "./password_hasher.ts";
import { Sessions } from "./sessions.ts";
import { Tokens } from "./tokens.ts";

export interface Admins {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  /** Ends the worker that hashes passwords. */
  close(): void;
}

export interface AdminsParts {
  readonly config: Configuration;
  readonly store: Store;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock?: () => number;
  readonly hasher?: PasswordHasher;
}

/** Seeds the accounts that the configuration names, and says who cannot sign in yet. */
export async function openAdmins(parts: AdminsParts): Promise<Admins> {
  const { store, log, clock = Date.now, hasher = new PasswordHasher() } = parts;
  const config = parts.config.web.admin;
  const records = new AccountRecords(store);
  const tokens = new Tokens(store, records, clock);
  const throttle = new AttemptThrottle(clock);
  const accounts = await Accounts.open({ config, records, tokens, hasher, throttle, clock });
  for (const username of await accounts.withoutPassword()) {
    log.warn(
      "An admin of the configuration cannot sign in, because there is an admin already: " +
        "give it a password_hash (web.admin.initial_superusers)",
      { username },
    );
  }
  return {
    accounts,
    sessions: new Sessions(store, records, clock),
    tokens,
    close: () => hasher.close(),
  };
}
