/**
 * Sessions of the web admin. The browser holds a random value in a cookie, the
 * store its hash. A session ends after 30 minutes without a request, 12 hours
 * after it began, when it is closed, or when its admin's password changes.
 */
import { Buffer } from "node:buffer";
import type { Admin } from "../records/admin.ts";
import { adminKeys } from "../store/keys.ts";
import type { Store } from "../store/store.ts";
import { type Account, type AccountRecords, adminOf } from "./account_records.ts";
import { secretHash } from "./secret_hash.ts";

const IDLE_TIME = 30 * 60_000; // ms
const LONGEST_TIME = 12 * 60 * 60_000; // ms
/** A request within this time (ms) of the last noted one is not noted again. */
const NOTED_EVERY = 60_000;

/** 256 bits in base64url. */
const COOKIE_VALUE = /^[A-Za-z0-9_-]{43}$/;

/** Times in milliseconds since the epoch. */
interface Session {
  readonly admin_id: string;
  readonly opened_at: number;
  readonly last_seen_at: number;
}

export class Sessions {
  readonly #kv: Deno.Kv;
  readonly #accounts: AccountRecords;
  readonly #clock: () => number;

  constructor(store: Store, accounts: AccountRecords, clock: () => number = Date.now) {
    this.#kv = store.kv;
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /** Begins a session for somebody who has just proved to be `admin`. Gives the cookie value. */
  async open(admin: Admin): Promise<string> {
    const cookieValue = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString(
      "base64url",
    );
    const now = this.#clock();
    const session: Session = { admin_id: admin.id, opened_at: now, last_seen_at: now };
    await this.#kv.set(sessionKey(cookieValue), session, { expireIn: LONGEST_TIME });
    return cookieValue;
  }

  /** Whose session it is; null when there is no such session or it is over. */
  async find(cookieValue: string): Promise<Admin | null> {
    if (!COOKIE_VALUE.test(cookieValue)) return null;
    const entry = await this.#kv.get<Session>(sessionKey(cookieValue));
    if (entry.value === null) return null;
    const account = await this.#accounts.find(entry.value.admin_id);
    const now = this.#clock();
    if (account === null || isOver(entry.value, account, now)) {
      await this.#kv.delete(entry.key);
      return null;
    }
    if (now - entry.value.last_seen_at >= NOTED_EVERY) await this.#note(entry, now);
    return adminOf(account);
  }

  /** Ends a session; one that is over already is no error. */
  async close(cookieValue: string): Promise<void> {
    await this.#kv.delete(sessionKey(cookieValue));
  }

  /** With a check, so that a session closed at this moment does not come back. */
  async #note(entry: Deno.KvEntry<Session>, now: number): Promise<void> {
    const expireIn = entry.value.opened_at + LONGEST_TIME - now;
    await this.#kv.atomic()
      .check(entry)
      .set(entry.key, { ...entry.value, last_seen_at: now }, { expireIn })
      .commit();
  }
}

function isOver(session: Session, account: Account, now: number): boolean {
  return now - session.last_seen_at >= IDLE_TIME || now - session.opened_at >= LONGEST_TIME ||
    session.opened_at < account.password_set_at;
}

function sessionKey(cookieValue: string): Deno.KvKey {
  return adminKeys.session(secretHash(cookieValue));
}
