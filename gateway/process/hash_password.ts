/**
 * `deno task hash-password`: prints the bcrypt hash of a password, for
 * `web.admin.initial_superusers` in the configuration. Needs no permission at all.
 */
import { hashSync } from "bcryptjs";
import { PASSWORD_COST } from "../admins/password_hasher.ts";
import { NoPassword, readNewPassword } from "./password_prompt.ts";

const encoder = new TextEncoder();

try {
  // The prompt goes to standard error, so that standard output is the hash alone.
  const password = await readNewPassword(Deno.stdin, (prompt) => {
    Deno.stderr.writeSync(encoder.encode(prompt));
  });
  console.log(hashSync(password, PASSWORD_COST));
} catch (error) {
  if (!(error instanceof NoPassword)) throw error;
  console.error(`portico: ${error.message}`);
  Deno.exit(1);
}
// A terminal that is still being read from would keep the process.
Deno.exit(0);
