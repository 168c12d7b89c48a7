/**
 * Fills a store with key holders before Portico starts on it: the records that creating
 * each of them would leave, written many in a commit, since one by one a million takes
 * minutes.
 */
import { apiKeyPreview, generateApiKey } from "@/gateway/keys/api_key.ts";
import { hashApiKey } from "@/gateway/keys/key_hash.ts";
import { storedHolder } from "@/gateway/keys/key_holder.ts";
import type { ApiUser } from "@/gateway/records/user.ts";
import { userInput } from "@/gateway/records/user.ts";
import { validate } from "@/gateway/records/validate.ts";
import { apiKeyKeys, collectionKeys } from "@/gateway/store/keys.ts";
import { newRecordId } from "@/gateway/store/record_id.ts";
import { serverSecret } from "@/gateway/store/server_secret.ts";
import { Store } from "@/gateway/store/store.ts";
import { caller } from "./guard.ts";

/** Users in a commit: two records each, within a commit's 1000 changes and 800 KiB. */
const BATCH = 400;

/** Makes `count` users in the store at `location`; gives their keys. */
export async function storeUsers(location: string, count: number): Promise<readonly string[]> {
  const store = await Store.open(location);
  try {
    const secret = await serverSecret(store, null);
    const keys = Array.from({ length: count }, generateApiKey);
    for (let at = 0; at < count; at += BATCH) {
      await commit(store, secret, keys.slice(at, at + BATCH));
    }
    return keys;
  } finally {
    store.close();
  }
}

async function commit(store: Store, secret: Uint8Array, keys: readonly string[]): Promise<void> {
  const atomic = store.kv.atomic();
  for (const key of keys) {
    const user = newUser(key);
    const api_key_hash = hashApiKey(secret, key);
    atomic.set(collectionKeys.record("users", user.id), { ...user, api_key_hash });
    atomic.set(apiKeyKeys.holder(api_key_hash), storedHolder(user));
  }
  await atomic.sum(collectionKeys.count("users"), BigInt(keys.length)).commit();
}

const fields = validate(userInput, {
  email: caller.email,
  first_name: caller.firstName,
  last_name: caller.lastName,
  roles: [caller.role],
});

function newUser(key: string): ApiUser {
  const now = new Date().toISOString();
  return {
    ...fields,
    id: newRecordId(),
    api_key_preview: apiKeyPreview(key),
    registration_source: "admin",
    registration_ip: null,
    created_at: now,
    created_by: "bench",
    updated_at: now,
    updated_by: "bench",
    version: 1,
  };
}
