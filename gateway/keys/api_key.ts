/** API keys: `ptk_`, 30 random base62 characters (178 bits) and a checksum of 6. */
import { KeyForm } from "./key_form.ts";

const form = new KeyForm("ptk_", 30);

export function generateApiKey(): string {
  return form.generate();
}

/** Whether `key` could be an API key at all. On the hot path: allocates nothing. */
export function isWellFormedApiKey(key: string): boolean {
  return form.isWellFormed(key);
}

/** The part of a key that may be shown, to tell keys apart: `ptk_a1B2c3`. */
export function apiKeyPreview(key: string): string {
  return form.preview(key);
}
