import assert from "node:assert/strict";
import { addressName } from "./address_name.ts";

Deno.test("IPv6 neighbours share a name, IPv4-mapped addresses are the IPv4 address", () => {
  assert.equal(addressName("2001:db8:1:2::1"), addressName("2001:db8:1:2:ffff::9"));
  assert.notEqual(addressName("2001:db8:1:2::1"), addressName("2001:db8:1:3::1"));
  assert.equal(addressName("::ffff:192.0.2.1"), addressName("192.0.2.1"));
  assert.equal(addressName("unix"), "address unix");
});
