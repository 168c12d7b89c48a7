/**
 * How API keys lie in the store: as HMAC-SHA256 with the server's secret, so that
 * a copy of the store neither shows keys nor lets anybody try them out.
 */
import { createHmac } from "node:crypto";

/** 32 bytes. */
export function hashApiKey(secret: Uint8Array, key: string): Uint8Array {
  return new Uint8Array(createHmac("sha256", secret).update(key).digest());
}

/** Bytes at the start of a hash that stand for it where a store read settles the rest. */
const FINGERPRINT_BYTES = 8;

export function fingerprintOf(hash: Uint8Array): Uint8Array {
  return hash.slice(0, FINGERPRINT_BYTES);
}
