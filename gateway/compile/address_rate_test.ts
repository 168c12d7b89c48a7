import assert from "node:assert/strict";
import { globalRateLimits } from "../config/global_rate_limits.ts";
import { fieldErrors, validate } from "../records/validate.ts";
import { compileAddressRate } from "./address_rate.ts";

const compiled = (limits: unknown) => compileAddressRate(validate(globalRateLimits, limits));

Deno.test("10r/s is ten calls a second, 30r/m is one in two seconds; none is no limit", () => {
  assert.equal(compiled({ ip_rate: "10r/s", ip_burst: 5 })?.perSecond, 10);
  assert.equal(compiled({ ip_rate: "10r/s", ip_burst: 5 })?.burst, 5);
  assert.equal(compiled({ ip_rate: "30r/m" })?.perSecond, 0.5);
  assert.equal(compiled({}), null);
});

Deno.test("a rate that is none is refused", () => {
  for (const ip_rate of ["fast", "0r/s", "10", "10r/h", "1.5r/s", 10]) {
    const [error] = fieldErrors(globalRateLimits, { ip_rate });
    assert.equal(error?.field, "ip_rate", String(ip_rate));
  }
});
