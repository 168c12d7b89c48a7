/**
 * Admin accounts as they lie in the store: found by id and by user name, which is
 * unique. The password's hash never leaves `gateway/admins/`.
 */
import { Fault } from "../faults.ts";
import type { Admin } from "../records/admin.ts";
import { Collection, type Stored } from "../store/collection.ts";
import { adminKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";

export interface AccountFields {
  /** Lower case. */
  readonly username: string;
  /** bcrypt. */
  readonly password_hash: string;
  /** Milliseconds since the epoch; sessions from before are over. */
  readonly password_set_at: number;
  /** The hash that the configuration last gave this account, if it ever did. */
  readonly configured_hash: string | null;
}

export type Account = Stored<AccountFields>;

export class AccountRecords {
  readonly #kv: Deno.Kv;
  readonly #collection: Collection<AccountFields>;

  constructor(store: Store) {
    this.#kv = store.kv;
    this.#collection = new Collection(store, {
      name: "admins",
      noun: "admin account",
      indexes: (account) => [{
        key: adminKeys.byUsername(account.username),
        value: account.id,
        unique: "username",
      }],
    });
  }

  find(id: string): Promise<Account | null> {
    return this.#collection.find(id);
  }

  /** `username` in lower case. */
  async findByUsername(username: string): Promise<Account | null> {
    const { value: id } = await this.#kv.get<string>(adminKeys.byUsername(username));
    return id === null ? null : await this.find(id);
  }

  /** Whether any account has been created, ever: from then on nobody becomes the first admin. */
  async anyCreated(): Promise<boolean> {
    return (await this.#kv.get(adminKeys.setUp)).versionstamp !== null;
  }

  create(fields: AccountFields, by: string): Promise<Account> {
    return this.#collection.create(fields, by, () => Promise.resolve(setUp));
  }

  /**
   * Creates the very first account. Throws a `Fault` `CONFLICT` when there is one: of two
   * at once, one wins.
   */
  createFirst(fields: AccountFields, by: string): Promise<Account> {
    return this.#collection.create(fields, by, async () => {
      if (await this.anyCreated()) throw alreadySetUp();
      return (commit) => setUp(commit.check({ key: adminKeys.setUp, versionstamp: null }));
    });
  }

  change(id: string, edit: (account: Account) => AccountFields, by: string): Promise<Account> {
    return this.#collection.change(id, edit, by);
  }
}

/** From here on nobody becomes the first admin. */
function setUp(commit: Deno.AtomicOperation): void {
  commit.set(adminKeys.setUp, true);
}

export function alreadySetUp(): Fault {
  return new Fault("CONFLICT", "There is an admin account already. Sign in instead.");
}

/** What everybody may see of an account. */
export function adminOf(account: Account): Admin {
  const { id, username, created_at, updated_at, version } = account;
  return { id, username, created_at, updated_at, version };
}
