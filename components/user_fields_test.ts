import assert from "node:assert/strict";
import { emptyUser, typedUser, userErrors, userRecord } from "./user_fields.ts";

Deno.test("what was typed is kept, and a box that is not ticked is off", () => {
  const fields = typedUser({ email: "a@b.example", roles: "x", version: "3" });
  assert.deepEqual(fields, {
    ...emptyUser,
    email: "a@b.example",
    roles: "x",
    version: "3",
    enabled: false,
  });
  assert.equal(typedUser({ enabled: "true" }).enabled, true);
  assert.equal(typedUser({ throttle_by_ip: "true" }).throttle_by_ip, true);
});

Deno.test("roles are told apart by commas; spaces and empty ones do not count", () => {
  assert.deepEqual(userRecord({ ...emptyUser, roles: " read, write,, " }).roles, ["read", "write"]);
  assert.deepEqual(userRecord(emptyUser).roles, []);
});

Deno.test("an error of one role is shown at the field of all of them", () => {
  const error = { code: "INVALID_INPUT", message: "is too long", field: "roles[1]" };
  assert.deepEqual(userErrors([error]), [{ ...error, field: "roles" }]);
});
