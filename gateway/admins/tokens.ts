/**
 * Admin tokens: what scripts use instead of a session. The store holds their hash;
 * the token itself is shown once, when it is made. An admin sees and revokes only
 * the own ones.
 */
import { Fault } from "../faults.ts";
import { KeyForm } from "../keys/key_form.ts";
import { type Admin, type AdminToken, tokenInput } from "../records/admin.ts";
import { validate } from "../records/validate.ts";
import { adminKeys } from "../store/keys.ts";
import { isRecordId, newRecordId } from "../store/record_id.ts";
import type { Store } from "../store/store.ts";
import { type AccountRecords, adminOf } from "./account_records.ts";
import { secretHash } from "./secret_hash.ts";

/** Its own prefix, so that a leaked token is not taken for an API key. 238 random bits. */
const tokenForm = new KeyForm("pta_", 40);

/** A use within this time (ms) of the last noted one is not noted again. */
const NOTED_EVERY = 60_000;

type StoredToken = AdminToken & { readonly hash: Uint8Array };

/** Where a token lies, found by its hash. */
interface TokenPlace {
  readonly admin_id: string;
  readonly id: string;
}

export class Tokens {
  readonly #kv: Deno.Kv;
  readonly #accounts: AccountRecords;
  readonly #clock: () => number;

  constructor(store: Store, accounts: AccountRecords, clock: () => number = Date.now) {
    this.#kv = store.kv;
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /** The admin's tokens, in the order of creation. */
  async list(admin: Admin): Promise<AdminToken[]> {
    const tokens: AdminToken[] = [];
    for await (
      const { value } of this.#kv.list<StoredToken>({ prefix: adminKeys.tokens(admin.id) })
    ) {
      const { hash: _, ...token } = value;
      tokens.push(token);
    }
    return tokens;
  }

  /** Makes a token with a name of the admin's choice. Throws a `Fault` (422). */
  async create(
    admin: Admin,
    input: unknown,
  ): Promise<{ id: string; name: string; token: string }> {
    const { name } = validate(tokenInput, input);
    const token = tokenForm.generate();
    const stored: StoredToken = {
      id: newRecordId(),
      admin_id: admin.id,
      name,
      token_preview: tokenForm.preview(token),
      created_at: new Date(this.#clock()).toISOString(),
      last_used_at: null,
      hash: secretHash(token),
    };
    const place: TokenPlace = { admin_id: admin.id, id: stored.id };
    await this.#kv.atomic()
      .set(adminKeys.token(admin.id, stored.id), stored)
      .set(adminKeys.tokenByHash(stored.hash), place)
      .commit();
    return { id: stored.id, name, token };
  }

  /** Throws a `Fault` `NOT_FOUND`, also for another admin's token. */
  async revoke(admin: Admin, id: string): Promise<void> {
    const key = adminKeys.token(admin.id, id);
    const { value } = isRecordId(id) ? await this.#kv.get<StoredToken>(key) : { value: null };
    if (value === null) throw new Fault("NOT_FOUND", "This admin token does not exist.");
    await this.#kv.atomic().delete(key).delete(adminKeys.tokenByHash(value.hash)).commit();
  }

  /** Whose token it is; null for a token that was never made or is revoked. */
  async find(token: string): Promise<Admin | null> {
    if (!tokenForm.isWellFormed(token)) return null;
    const { value: place } = await this.#kv.get<TokenPlace>(
      adminKeys.tokenByHash(secretHash(token)),
    );
    if (place === null) return null;
    const [entry, account] = await Promise.all([
      this.#kv.get<StoredToken>(adminKeys.token(place.admin_id, place.id)),
      this.#accounts.find(place.admin_id),
    ]);
    if (entry.value === null || account === null) return null;
    await this.#note(entry);
    return adminOf(account);
  }

  /** Notes the use, with a check, so that a token revoked at this moment does not come back. */
  async #note(entry: Deno.KvEntry<StoredToken>): Promise<void> {
    const { last_used_at } = entry.value;
    const now = this.#clock();
    if (last_used_at !== null && now - Date.parse(last_used_at) < NOTED_EVERY) return;
    await this.#kv.atomic()
      .check(entry)
      .set(entry.key, { ...entry.value, last_used_at: new Date(now).toISOString() })
      .commit();
  }
}
