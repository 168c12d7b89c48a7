/** Admin accounts and what they sign in with. */
import * as v from "valibot";
import { requiredText } from "./fields.ts";

/** bcrypt reads 72 bytes at most; a longer password would be cut without a word. */
const PASSWORD_MAX_BYTES = 72;

export const username = v.pipe(
  requiredText(255),
  // deno-lint-ignore no-control-regex -- control characters are what is refused
  v.check((value) => !/[\s<>\x00-\x1f]/.test(value), "must not contain spaces or < >"),
  v.toLowerCase(),
);

/** A new password: from `min` characters to 72 bytes. */
export function newPassword(min: number) {
  return v.pipe(
    v.string(),
    v.minLength(min, `is too short (minimum is ${min} characters)`),
    v.maxBytes(PASSWORD_MAX_BYTES, `is too long (maximum is ${PASSWORD_MAX_BYTES} bytes)`),
  );
}

/** A password somebody signs in with; its rules are those of the day it was set. */
export const credentials = v.strictObject({
  username,
  password: v.pipe(v.string(), v.minLength(1, "can't be blank"), v.maxLength(1024, "is too long")),
});

export const tokenInput = v.strictObject({ name: requiredText(255) });

export interface Admin {
  readonly id: string;
  readonly username: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly version: number;
}

/** An admin token for the REST API; the token itself is shown once and not kept. */
export interface AdminToken {
  readonly id: string;
  readonly admin_id: string;
  readonly name: string;
  readonly token_preview: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}
