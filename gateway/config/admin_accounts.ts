/** Who may sign in to the web admin: the section `web.admin`. */
import * as v from "valibot";
import { username } from "../records/admin.ts";
import { wholeNumber } from "../records/fields.ts";
import { key } from "./key.ts";
import { bcryptHash } from "./values.ts";

/** A user name alone stands for `{ username }`. */
const superuser = v.pipe(
  v.unknown(),
  v.transform((item) => typeof item === "string" ? { username: item } : item),
  v.strictObject({
    username: v.pipe(username, v.description("The name to sign in with.")),
    password_hash: key(
      v.nullable(bcryptHash),
      null,
      "Hash of the password by bcrypt; `portico hash-password` makes it. Another hash here " +
        "replaces a forgotten password.",
      { secret: true },
    ),
  }),
);

export const adminAccounts = v.strictObject({
  initial_superusers: key(
    v.array(superuser),
    [],
    "Admin accounts: a user name, or username and password_hash. One with a hash, which " +
      "`portico hash-password` makes, is created at the next start or reload: so a second " +
      "admin is added too. If there is no admin yet, whoever opens the admin first must " +
      "take one of the names listed without a hash.",
    { example: ["admin@example.org"] },
  ),
  password_length_min: key(
    wholeNumber(8, 72),
    14,
    "Fewest characters of an admin's password.",
  ),
});
