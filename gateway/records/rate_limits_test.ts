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

Deno.test("quotas beside the mode unlimited are refused: they would not hold", () => {
  const quotas = [{ period: "day", limit_by: "api_key", limit: 5 }];
  for (const schema of [backendSettings, userSettings]) {
    const [error] = fieldErrors(schema, { rate_limit_mode: "unlimited", quotas });
    assert.equal(error?.field, "quotas");
    assert.equal(fieldErrors(schema, { quotas }).length, 0);
  }
});

Deno.test("a user's limits for one backend keep to the rules of all limits", () => {
  const errors = (limits: Record<string, unknown>) =>
    fieldErrors(userSettings, { backend_limits: [{ backend_id: "018f", ...limits }] })
      .map(({ field }) => field);
  assert.deepEqual(errors({ rate_limits: [limit] }), []);
  assert.deepEqual(errors({ rate_limit_mode: "custom" }), ["backend_limits[0].rate_limits"]);
  assert.deepEqual(errors({ backend_id: "" }), ["backend_limits[0].backend_id"]);
  const twice = [{ backend_id: "018f" }, { backend_id: "018f" }];
  const [error] = fieldErrors(userSettings, { backend_limits: twice });
  assert.equal(error?.field, "backend_limits[1].backend_id");
});
