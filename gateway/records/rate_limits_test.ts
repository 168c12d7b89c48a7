import assert from "node:assert/strict";
import { backendSettings } from "./settings.ts";
import { userSettings } from "./user.ts";
import { fieldErrors, validate } from "./validate.ts";

const limit = { duration: 60_000, limit_by: "api_key", limit: 5 };

Deno.test("limits that come without a mode are meant to hold, unless null says inherit", () => {
  for (const schema of [backendSettings, userSettings]) {
    assert.equal(validate(schema, { rate_limits: [limit] }).rate_limit_mode, "custom");
    const inherits = { rate_limits: [limit], rate_limit_mode: null };
    assert.equal(validate(schema, inherits).rate_limit_mode, null);
    assert.equal(validate(schema, {}).rate_limit_mode, undefined);
  }
});

Deno.test("the custom mode needs a limit: an empty list never means unlimited", () => {
  for (const schema of [backendSettings, userSettings]) {
    const [error] = fieldErrors(schema, { rate_limit_mode: "custom" });
    assert.equal(error?.field, "rate_limits");
  }
});

Deno.test("a limit counts up to what a counter holds", () => {
  const errors = (calls: number) =>
    fieldErrors(backendSettings, { rate_limits: [{ ...limit, limit: calls }] }).length;
  assert.deepEqual([0, 1, 4_294_967_295, 4_294_967_296, 1.5].map(errors), [1, 0, 0, 1, 1]);
});
