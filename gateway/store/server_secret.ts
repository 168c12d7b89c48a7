/**
 * The secret that API keys are hashed with: without it a copy of the store does
 * not tell which key is whose. The configuration may give it; otherwise it is
 * made at first start and kept in the store.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { apiKeyKeys, storeKeys } from "./keys.ts";
import { type Store, StoreError } from "./store.ts";

/** Bytes of a secret made here. */
const SECRET_BYTES = 32;

/**
 * The server's secret; `configured` is `secret_key` of the configuration.
 *
 * Throws a {@linkcode StoreError} when it is not the secret that the keys handed
 * out so far were hashed with: every one of them would be refused.
 */
export async function serverSecret(store: Store, configured: string | null): Promise<Uint8Array> {
  const secret = configured === null
    ? await keptSecret(store.kv)
    : new TextEncoder().encode(configured);
  const trace = new Uint8Array(createHmac("sha256", secret).update("portico").digest());
  const first = await firstValue(store.kv, storeKeys.serverSecretCheck, trace);
  if (timingSafeEqual(first, trace)) return secret;
  if (await anyKeyIssued(store.kv)) {
    throw new StoreError(
      `The API keys in the store ${store.location} were made with another secret than ` +
        (configured === null ? "the one kept in it" : "secret_key of the configuration") +
        ". Set secret_key to what it was (leave it out if it was not set), or use a new store.",
    );
  }
  await store.kv.set(storeKeys.serverSecretCheck, trace);
  return secret;
}

async function anyKeyIssued(kv: Deno.Kv): Promise<boolean> {
  const first = kv.list({ prefix: apiKeyKeys.holders }, { limit: 1 });
  return !(await first.next()).done;
}

function keptSecret(kv: Deno.Kv): Promise<Uint8Array> {
  const made = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return firstValue(kv, storeKeys.serverSecret, made);
}

/** What a key was set to first: `value`, if nobody was earlier. */
async function firstValue(
  kv: Deno.Kv,
  key: Deno.KvKey,
  value: Uint8Array,
): Promise<Uint8Array> {
  const { ok } = await kv.atomic().check({ key, versionstamp: null }).set(key, value).commit();
  if (ok) return value;
  return (await kv.get<Uint8Array>(key)).value ?? value;
}
