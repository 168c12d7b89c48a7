/** API keys: what callers of a backend show. `ptk_` and 178 random bits. */
import { KeyForm } from "./key_form.ts";

const form = new KeyForm("ptk_", 30);

/** A new key. */
export function generateApiKey(): string {
  return form.generate();
}

/** Whether `key` could have been made here. On the hot path: allocates nothing. */
export function isWellFormedApiKey(key: string): boolean {
  return form.isWellFormed(key);
}

/** The part of a key that may be shown, to tell keys apart: `ptk_a1B2c3`. */
export function apiKeyPreview(key: string): string {
  return form.preview(key);
}
