import assert from "node:assert/strict";
import { isIpAddress, isIpRange } from "./ip_address.ts";

Deno.test("an address is what every program reads alike", () => {
  for (const fine of ["10.0.0.1", "0.0.0.0", "::1", "2001:db8::1", "::ffff:10.0.0.1"]) {
    assert.ok(isIpAddress(fine), fine);
  }
  for (
    const bad of [
      "10.1",
      "167772161",
      "010.0.0.1",
      "0x7f.0.0.1",
      "10.0.0.256",
      "1.2.3.4:80",
      "a",
      "",
    ]
  ) {
    assert.ok(!isIpAddress(bad), bad);
  }
});

Deno.test("a range is an address with a number of bits", () => {
  for (const fine of ["10.0.0.0/8", "2001:db8::/32"]) assert.ok(isIpRange(fine), fine);
  for (const bad of ["10.1/16", "010.0.0.0/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0", "/8"]) {
    assert.ok(!isIpRange(bad), bad);
  }
});
