/** Admin accounts: how the first one comes to be, and signing in with a password. */
import * as v from "valibot";
import { addressName } from "../exchange/address_name.ts";
import { Fault, type FieldError, invalidField } from "../faults.ts";
import type { Logger } from "../process/logger.ts";
import { type Admin, credentials, newPassword, username } from "../records/admin.ts";
import { text } from "../records/fields.ts";
import { fieldErrors, validate } from "../records/validate.ts";
import { type Account, type AccountRecords, adminOf, alreadySetUp } from "./account_records.ts";
import type { AttemptThrottle } from "./attempt_throttle.ts";
import type { PasswordHasher } from "./password_hasher.ts";
import {
  type AdminConfiguration,
  claimableUsernames,
  seedAccounts,
  warnOfUnclaimed,
} from "./seeding.ts";
import { isSetupCode, newSetupCode } from "./setup_code.ts";

/** Who asks to create the first admin. */
export interface SetupOrigin {
  readonly address: string;
  /** At the machine itself (`ClientFacts.direct`): no setup code needed. */
  readonly direct: boolean;
}

/** Who created the first account, in its record. */
const BY_SETUP = "setup";

/** What creates the first admin; passwords have at least `passwordLengthMin` characters. */
export function setupInput(passwordLengthMin: number) {
  return v.strictObject({
    username,
    password: newPassword(passwordLengthMin),
    setup_code: v.nullish(text(64), ""),
  });
}

export interface AccountsParts {
  readonly config: AdminConfiguration;
  readonly records: AccountRecords;
  readonly hasher: PasswordHasher;
  readonly throttle: AttemptThrottle;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

export class Accounts {
  readonly #parts: AccountsParts;
  /** The one-time code while there is no admin; shared with the accounts before a reload. */
  readonly #setup: { code: string | null };

  private constructor(parts: AccountsParts, setup: { code: string | null }) {
    this.#parts = parts;
    this.#setup = setup;
  }

  /** Seeds the accounts that the configuration gives a password hash. */
  static open(parts: AccountsParts): Promise<Accounts> {
    return new Accounts(parts, { code: newSetupCode() }).#opened();
  }

  /** The same accounts under another configuration; a setup code that was printed still holds. */
  configured(config: AdminConfiguration): Promise<Accounts> {
    return new Accounts({ ...this.#parts, config }, this.#setup).#opened();
  }

  async #opened(): Promise<Accounts> {
    const { records, config, log, clock } = this.#parts;
    await seedAccounts(records, config, clock());
    if (await this.#currentSetupCode() === null) await warnOfUnclaimed(records, config, log);
    return this;
  }

  /** True until somebody can sign in: the first access creates the first admin. */
  get needsSetup(): boolean {
    return this.#setup.code !== null;
  }

  /** The one-time code for whoever sets up from afar; null once there is an admin. */
  get setupCode(): string | null {
    return this.#setup.code;
  }

  /** The user names that the first admin may choose from; empty: any. */
  get claimableUsernames(): readonly string[] {
    return claimableUsernames(this.#parts.config);
  }

  /**
   * Creates the first admin. What is wrong with the setup code and with the other
   * fields is told at once; a wrong code counts as a failed attempt either way.
   * @param more errors that whoever shows the form has found
   *
   * Throws a `Fault`: `CONFLICT` once there is an admin, `INVALID_INPUT`,
   * `FORBIDDEN` without the right setup code, `TOO_MANY_ATTEMPTS`.
   */
  async setUp(
    input: unknown,
    from: SetupOrigin,
    more: readonly FieldError[] = [],
  ): Promise<Admin> {
    const code = await this.#currentSetupCode();
    if (code === null) throw alreadySetUp();
    const { config, records, hasher, log, clock } = this.#parts;
    const schema = setupInput(config.password_length_min);
    const codeErrors = from.direct ? [] : this.#setupCodeErrors(input, code, from.address);
    const errors = [...codeErrors, ...fieldErrors(schema, input), ...more];
    if (codeErrors.length > 0) throw new Fault("FORBIDDEN", errors);
    if (errors.length > 0) throw new Fault("INVALID_INPUT", errors);
    const { username, password } = validate(schema, input);
    this.#checkClaim(username);
    const password_hash = await hasher.hash(password);
    const account = await records.createFirst(
      { username, password_hash, password_set_at: clock(), configured_hash: null },
      BY_SETUP,
    );
    this.#setup.code = null;
    log.info("the first admin was created", { username, address: from.address });
    return adminOf(account);
  }

  /**
   * The admin with this user name and password, who may then be given a session.
   *
   * Throws a `Fault`: `NOT_SIGNED_IN`, the same for an unknown name as for a wrong
   * password; `TOO_MANY_ATTEMPTS` after repeated failures; `INVALID_INPUT`.
   */
  async signIn(input: unknown, address: string): Promise<Admin> {
    const { username, password } = validate(credentials, input);
    const { throttle, log } = this.#parts;
    const accountName = `account ${username}`;
    const attempt = throttle.begin(accountName, addressName(address));
    const account = await this.#accountWith(username, password).catch((error) => {
      attempt.withdrawn();
      throw error;
    });
    if (account === null) {
      // Without the name: people type their password there by mistake.
      log.warn("a sign-in failed", { address });
      throw new Fault("NOT_SIGNED_IN", "The user name or the password is wrong.");
    }
    attempt.succeeded(accountName);
    log.info("an admin signed in", { username, address });
    return adminOf(account);
  }

  /** Takes as long whether or not there is an account. */
  async #accountWith(username: string, password: string): Promise<Account | null> {
    const { records, hasher } = this.#parts;
    const account = await records.findByUsername(username);
    const right = await hasher.matches(password, account?.password_hash ?? null);
    return right ? account : null;
  }

  /** Asks the store again: another process on it may have set up in the meantime. */
  async #currentSetupCode(): Promise<string | null> {
    if (this.#setup.code !== null && await this.#parts.records.anyCreated()) {
      this.#setup.code = null;
    }
    return this.#setup.code;
  }

  #setupCodeErrors(input: unknown, code: string, address: string): FieldError[] {
    const typed = typedSetupCode(input);
    if (typed === "") {
      return refusedCode("Enter the setup code that the server printed when it started.");
    }
    const name = `setup from ${addressName(address)}`;
    const attempt = this.#parts.throttle.begin(name);
    if (!isSetupCode(typed, code)) {
      return refusedCode(
        "This is not the setup code. The server printed it when it last started.",
      );
    }
    attempt.succeeded(name);
    return [];
  }

  #checkClaim(username: string): void {
    const claimable = this.claimableUsernames;
    if (claimable.length === 0 || claimable.includes(username)) return;
    throw invalidField(
      "username",
      "must be one of the user names in the configuration (web.admin.initial_superusers)",
    );
  }
}

/** The code alone: it is looked at whatever else is wrong. */
function typedSetupCode(input: unknown): string {
  const result = v.safeParse(v.object({ setup_code: text(64) }), input);
  return result.success ? result.output.setup_code : "";
}

function refusedCode(message: string): FieldError[] {
  return [{ code: "FORBIDDEN", message, field: "setup_code" }];
}
