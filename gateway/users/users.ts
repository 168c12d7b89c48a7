/**
 * API users: whoever holds an API key. The key is made here, given out once and
 * kept only as a hash; every change reaches the calls at once, by the directory.
 */
import { apiKeyPreview, generateApiKey } from "../keys/api_key.ts";
import type { KeyDirectory } from "../keys/key_directory.ts";
import { fingerprintOf, hashApiKey } from "../keys/key_hash.ts";
import { storedHolder } from "../keys/key_holder.ts";
import { type KeyRevision, nextRevision } from "../keys/key_revision.ts";
import { invalidField } from "../faults.ts";
import { type ApiUser, signupInput, type UserInput, userInput } from "../records/user.ts";
import { validate } from "../records/validate.ts";
import {
  type Alongside,
  Collection,
  type Page,
  type PageRequest,
  type Stored,
} from "../store/collection.ts";
import { apiKeyKeys } from "../store/keys.ts";
import { completedFields, settableFields, stampFields } from "../store/record_input.ts";
import type { Store } from "../store/store.ts";
import type { SignupLimit } from "./signup_limit.ts";

const SEARCH_MAX_LENGTH = 255;

/** Who made the record, when a visitor signed up. */
const BY_SIGNUP = "sign-up";

const keyFields = ["api_key_preview", "registration_source", "registration_ip"] as const;
const serverFields = [...stampFields, ...keyFields];

type UserFields = UserInput & Pick<ApiUser, typeof keyFields[number]> & {
  readonly api_key_hash: Uint8Array;
};

interface Registration {
  readonly source: ApiUser["registration_source"];
  readonly address: string | null;
}

/** Where a sign-up came from. */
export interface SignupOrigin {
  readonly address: string;
  /** The sign-up page, or its JSON. */
  readonly source: "web" | "api";
}

export interface UsersParts {
  readonly store: Store;
  /** What keys are hashed with. */
  readonly secret: Uint8Array;
  readonly keys: KeyDirectory;
  readonly signupLimit: SignupLimit;
}

export const userStates = ["enabled", "disabled", "expired"] as const;

/** How the key stands; only an enabled one lets calls in. */
export type UserState = (typeof userStates)[number];

/** @param now ms since the epoch */
export function userState(
  { enabled, expires_at }: Pick<ApiUser, "enabled" | "expires_at">,
  now: number,
): UserState {
  if (!enabled) return "disabled";
  // Absent in records from before there was an expiry.
  return expires_at != null && now >= Date.parse(expires_at) ? "expired" : "enabled";
}

/** Which users are wanted; without any of these, all of them. */
export interface UserFilter {
  /** In the e-mail address, the name or the visible part of the key, in capitals or not. */
  readonly search?: string | undefined;
  readonly state?: UserState | undefined;
  readonly role?: string | undefined;
}

/** A new user, and the key in clear: this is the only time it is seen. */
export interface NewUser {
  readonly user: ApiUser;
  readonly api_key: string;
}

export class Users {
  readonly #parts: UsersParts;
  readonly #collection: Collection<UserFields>;

  constructor(parts: UsersParts) {
    this.#parts = parts;
    this.#collection = new Collection<UserFields>(parts.store, {
      name: "users",
      noun: "API user",
      indexes: (user) => [{
        key: apiKeyKeys.holder(user.api_key_hash),
        value: storedHolder(user),
        unique: "api_key",
      }],
    });
  }

  /** In the order of creation. Throws a `Fault` (422) on `limit`, `cursor` or `search`. */
  async list(request: PageRequest & UserFilter): Promise<Page<ApiUser>> {
    const page = await this.#collection.list(request, userFilter(request));
    return { ...page, items: page.items.map(publicUser) };
  }

  /** Null when there is none. */
  async find(id: string): Promise<ApiUser | null> {
    const user = await this.#collection.find(id);
    return user === null ? null : publicUser(user);
  }

  /** Throws a `Fault` `NOT_FOUND`. */
  async get(id: string): Promise<ApiUser> {
    return publicUser(await this.#collection.get(id));
  }

  /** Throws a `Fault` (422) that lists every bad field. */
  async create(input: unknown, by: string): Promise<NewUser> {
    const fields = validate(userInput, settableFields(input, serverFields));
    return await this.#issue(fields, { source: "admin", address: null }, by);
  }

  /**
   * Throws a `Fault`: 422 with every bad field, `TOO_MANY_ATTEMPTS` when the
   * address had its share of keys for this hour.
   */
  async signUp(input: unknown, from: SignupOrigin): Promise<NewUser> {
    const { terms_and_conditions: _agreed, ...person } = validate(signupInput, input);
    this.#parts.signupLimit.take(from.address);
    return await this.#issue(validate(userInput, person), from, BY_SIGNUP);
  }

  /**
   * Fields left out keep their value; a field that is sent is replaced whole.
   * Throws a `Fault`: `NOT_FOUND`, 422 with every bad field, `STALE` when
   * `ifVersion` is not the user's version.
   */
  async change(id: string, input: unknown, by: string, ifVersion?: number): Promise<ApiUser> {
    const edit = (user: Stored<UserFields>): UserFields => ({
      ...user,
      ...validate(userInput, completedFields(publicUser(user), input, serverFields)),
    });
    return publicUser(
      await this.#revised((alongside) =>
        this.#collection.change(id, edit, by, ifVersion, alongside)
      ),
    );
  }

  /** The key is refused from now on. Throws a `Fault`: `NOT_FOUND`, `STALE`. */
  async remove(id: string, ifVersion?: number): Promise<void> {
    await this.#revised((alongside) => this.#collection.remove(id, ifVersion, alongside));
  }

  async #issue(fields: UserInput, from: Registration, by: string): Promise<NewUser> {
    const api_key = generateApiKey();
    const user = await this.#revised((alongside) =>
      this.#collection.create(
        {
          ...fields,
          api_key_hash: hashApiKey(this.#parts.secret, api_key),
          api_key_preview: apiKeyPreview(api_key),
          registration_source: from.source,
          registration_ip: from.address,
        },
        by,
        alongside,
      )
    );
    return { user: publicUser(user), api_key };
  }

  /** Makes a change together with the revision that tells of it, and tells our own calls first. */
  async #revised<T>(change: (alongside: Alongside<UserFields>) => Promise<T>): Promise<T> {
    let made: KeyRevision | undefined;
    const result = await change(async (before, after) => {
      const user = after ?? before;
      const hash = user?.api_key_hash ?? new Uint8Array();
      const { revision, commitIn } = await nextRevision(this.#parts.store.kv, {
        fingerprint: fingerprintOf(hash),
        present: after !== null,
        ...(user === null ? {} : { preview: user.api_key_preview }),
      });
      made = revision;
      return commitIn;
    });
    if (made !== undefined) await this.#parts.keys.apply(made);
    return result;
  }
}

/** The record without the key's hash, which is nobody's business. */
function publicUser({ api_key_hash: _hash, ...user }: Stored<UserFields>): ApiUser {
  return user;
}

type Wanted = (user: ApiUser) => boolean;

/** Undefined: all of them. Throws a `Fault` (422) on `search`. */
function userFilter({ search = "", state, role }: UserFilter): Wanted | undefined {
  const now = Date.now();
  const filters: Wanted[] = [
    ...searchFilter(search),
    ...(state === undefined ? [] : [(user: ApiUser) => userState(user, now) === state]),
    ...(role === undefined ? [] : [({ roles }: ApiUser) => roles.includes(role)]),
  ];
  return filters.length === 0 ? undefined : (user) => filters.every((wants) => wants(user));
}

function searchFilter(search: string): Wanted[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return [];
  if (wanted.length > SEARCH_MAX_LENGTH) {
    throw invalidField("search", `is too long (maximum is ${SEARCH_MAX_LENGTH} characters)`);
  }
  return [
    ({ email, first_name, last_name, api_key_preview }) =>
      [email, `${first_name} ${last_name}`, api_key_preview]
        .some((text) => text.toLowerCase().includes(wanted)),
  ];
}
