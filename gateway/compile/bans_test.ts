import assert from "node:assert/strict";
import * as v from "valibot";
import { bans } from "../config/bans.ts";
import { callWith } from "../stages/testing.ts";
import { compileBans } from "./bans.ts";

function banned(settings: v.InferInput<typeof bans>, address: string, userAgent?: string) {
  const headers = userAgent === undefined ? {} : { "user-agent": userAgent };
  const { exchange } = callWith({ address, headers });
  return compileBans(v.parse(bans, settings))?.holdFor(exchange) ?? false;
}

Deno.test("nobody is banned where nothing is listed", () => {
  assert.equal(compileBans(v.parse(bans, {})), null);
});

Deno.test("addresses are banned by range", () => {
  const ips = ["192.0.2.0/24", "2001:db8::/32"];
  assert.ok(banned({ ips }, "192.0.2.7"));
  assert.ok(banned({ ips }, "2001:db8::7"));
  assert.ok(!banned({ ips }, "198.51.100.7", "badbot"));
});

Deno.test("user agents are banned by a regular expression, with or without nginx's marks", () => {
  const user_agents = ["badbot", "~*^curl/6", "~scrapy"];
  assert.ok(banned({ user_agents }, "192.0.2.1", "Mozilla/5.0 (BadBot)"));
  assert.ok(banned({ user_agents }, "192.0.2.1", "CURL/6.1"));
  assert.ok(banned({ user_agents }, "192.0.2.1", "Scrapy"));
  assert.ok(!banned({ user_agents }, "192.0.2.1", "curl/8"));
  assert.ok(!banned({ user_agents }, "192.0.2.1"));
  assert.ok(banned({ user_agents: ["^$"] }, "192.0.2.1"));
});
