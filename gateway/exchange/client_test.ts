import assert from "node:assert/strict";
import { compileEntrance } from "../compile/entrance.ts";
import { type Configuration, defaultConfiguration } from "../config/configuration.ts";
import { compileRanges, inRanges, isDirect, plainAddress, readForwarding } from "./client.ts";

/** How requests come in where these proxies are trusted. */
function entrance(trusted_proxies: string[], more: Partial<Configuration> = {}) {
  const router = { ...defaultConfiguration.router, ...more.router, trusted_proxies };
  return compileEntrance({ ...defaultConfiguration, ...more, router });
}

Deno.test("ranges hold v4, v6 and mapped addresses", () => {
  const ranges = compileRanges([
    "10.0.0.0/8",
    "192.0.2.7",
    "2001:db8::/32",
    "::ffff:172.16.0.0/108",
  ]);
  for (
    const inside of ["10.255.1.1", "192.0.2.7", "2001:db8::1", "::ffff:10.1.1.1", "172.31.0.1"]
  ) {
    assert.ok(inRanges(inside, ranges), inside);
  }
  for (const outside of ["11.0.0.1", "192.0.2.8", "2001:db9::1", "172.32.0.1", "nonsense", ""]) {
    assert.ok(!inRanges(outside, ranges), outside);
  }
});

Deno.test("forwarding headers of an untrusted peer are ignored", () => {
  const headers = new Headers({
    "x-forwarded-for": "1.1.1.1",
    "x-forwarded-proto": "https",
    "x-request-id": "chosen",
  });
  const read = readForwarding(headers, "203.0.113.9", "http", entrance(["10.0.0.0/8"]));
  assert.deepEqual(read, {
    address: "203.0.113.9",
    scheme: "http",
    port: null,
    authority: null,
    chain: "203.0.113.9",
    requestId: null,
  });
});

Deno.test("a trusted proxy's chain is read from the right, past other trusted ones", () => {
  const headers = new Headers({
    "x-forwarded-for": "6.6.6.6, 198.51.100.4, 10.0.0.5",
    "x-forwarded-proto": "https",
    "x-forwarded-port": "8443",
    "x-request-id": "abc-123",
  });
  const read = readForwarding(headers, "10.0.0.1", "http", entrance(["10.0.0.0/8"]));
  assert.deepEqual(read, {
    address: "198.51.100.4",
    scheme: "https",
    port: "8443",
    authority: null,
    chain: "6.6.6.6, 198.51.100.4, 10.0.0.5, 10.0.0.1",
    requestId: "abc-123",
  });
});

Deno.test("what stands left of an item that is no address is nobody's word", () => {
  const trusted = entrance(["10.0.0.0/8"]);
  const read = (chain: string) =>
    readForwarding(new Headers({ "x-forwarded-for": chain }), "10.0.0.1", "http", trusted);
  assert.equal(read("6.6.6.6, unknown").address, "10.0.0.1");
  assert.equal(read("6.6.6.6, 010.6.6.6, 10.0.0.5").address, "10.0.0.5");
  assert.equal(read("6.6.6.6, unknown, 10.0.0.5").chain, "10.0.0.5, 10.0.0.1");
  assert.equal(read("").address, "10.0.0.1");
});

Deno.test("a port that a proxy adds to an address is left aside", () => {
  const trusted = entrance(["10.0.0.0/8"]);
  for (
    const [item, address] of [["1.2.3.4:5678", "1.2.3.4"], ["[2001:db8::1]:443", "2001:db8::1"]]
  ) {
    const headers = new Headers({ "x-forwarded-for": `127.0.0.1, ${item}` });
    assert.equal(readForwarding(headers, "10.0.0.1", "http", trusted).address, address);
  }
});

Deno.test("a request id that could break a log line or a header is not kept", () => {
  const headers = new Headers({ "x-request-id": "a b\tc" });
  const read = readForwarding(headers, "127.0.0.1", "http", entrance(["127.0.0.1"]));
  assert.equal(read.requestId, null);
});

Deno.test("the host is a trusted proxy's word only where the configuration says so", () => {
  const router = { ...defaultConfiguration.router, match_x_forwarded_host: true };
  const taken = entrance(["10.0.0.0/8"], { router });
  const named = (host: string, peer = "10.0.0.1", way = taken) =>
    readForwarding(new Headers({ "x-forwarded-host": host }), peer, "http", way).authority;
  assert.equal(named("A.example:81"), "A.example:81");
  assert.equal(named("forged.example, a.example"), "a.example");
  assert.equal(named("a.example", "203.0.113.9"), null);
  assert.equal(named("a.example", "10.0.0.1", entrance(["10.0.0.0/8"])), null);
  for (const bad of ["", "a b", "a/b", "a@b", "a.example,"]) assert.equal(named(bad), null, bad);
});

Deno.test("what callers see of a listener stands above what it is and what a proxy says", () => {
  const way = entrance(["10.0.0.0/8"], {
    override_public_http_proto: "https",
    override_public_http_port: 443,
  });
  const headers = new Headers({ "x-forwarded-proto": "http", "x-forwarded-port": "8000" });
  const seen = (peer: string, scheme: "http" | "https") => {
    const read = readForwarding(headers, peer, scheme, way);
    return `${read.scheme} ${read.port}`;
  };
  assert.equal(seen("10.0.0.1", "http"), "https 443");
  assert.equal(seen("203.0.113.9", "http"), "https 443");
  assert.equal(seen("10.0.0.1", "https"), "http 8000");
  assert.equal(seen("203.0.113.9", "https"), "https null");
});

Deno.test("direct means a loopback peer without any forwarding header", () => {
  const direct = (peer: string, headers: HeadersInit = {}) =>
    isDirect(new Headers(headers), peer, "localhost");
  assert.ok(direct("127.0.0.1"));
  assert.ok(direct("::1"));
  assert.ok(direct("::ffff:127.0.0.1"));
  assert.ok(!direct("192.168.1.2"));
  assert.ok(!direct("127.0.0.1", { "x-forwarded-for": "127.0.0.1" }));
  assert.ok(!direct("127.0.0.1", { forwarded: "for=127.0.0.1" }));
  assert.ok(!direct("127.0.0.1", { "x-forwarded-proto": "https" }));
});

Deno.test("direct is only who asks for localhost or an address, not for a name led here", () => {
  const direct = (host: string) => isDirect(new Headers(), "127.0.0.1", host);
  for (const host of ["localhost", "portico.localhost", "127.0.0.1", "[::1]", "10.0.0.7"]) {
    assert.ok(direct(host), host);
  }
  for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", ""]) {
    assert.ok(!direct(host), host);
  }
});

Deno.test("addresses lose brackets, zones and the IPv4 mapping", () => {
  assert.equal(plainAddress("[::1]"), "::1");
  assert.equal(plainAddress("fe80::1%eth0"), "fe80::1");
  assert.equal(plainAddress("::ffff:1.2.3.4"), "1.2.3.4");
});
