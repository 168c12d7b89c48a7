/** The admin accounts that the configuration names (`web.admin.initial_superusers`). */
import type { Configuration } from "../config/configuration.ts";
import type { Logger } from "../process/logger.ts";
import type { AccountRecords } from "./account_records.ts";

export type AdminConfiguration = Configuration["web"]["admin"];

/** Who did it, in the records of these accounts. */
const BY_CONFIGURATION = "configuration";

/**
 * Creates the accounts that are listed with a password hash. An account that is
 * there gets a new password only when the hash in the file is another than before:
 * that is how a lost password is replaced. `now` in milliseconds since the epoch.
 */
export async function seedAccounts(
  records: AccountRecords,
  config: AdminConfiguration,
  now: number,
): Promise<void> {
  for (const { username, password_hash } of config.initial_superusers) {
    if (password_hash === null) continue;
    const configured = {
      username,
      password_hash,
      password_set_at: now,
      configured_hash: password_hash,
    };
    const account = await records.findByUsername(username);
    if (account === null) await records.create(configured, BY_CONFIGURATION);
    else if (account.configured_hash !== password_hash) {
      await records.change(account.id, () => configured, BY_CONFIGURATION);
    }
  }
}

/** The user names listed without a hash: the first admin chooses one of them. */
export function claimableUsernames(config: AdminConfiguration): readonly string[] {
  return config.initial_superusers
    .filter((superuser) => superuser.password_hash === null)
    .map((superuser) => superuser.username);
}

/** Once there is an admin, an account listed without a hash can no longer be claimed. */
export async function warnOfUnclaimed(
  records: AccountRecords,
  config: AdminConfiguration,
  log: Logger,
): Promise<void> {
  for (const username of claimableUsernames(config)) {
    if (await records.findByUsername(username) !== null) continue;
    log.warn(
      "An admin of the configuration cannot sign in, because there is an admin already: " +
        "give it a password_hash (web.admin.initial_superusers)",
      { username },
    );
  }
}
