import assert from "node:assert/strict";
import { systemLookup } from "./host_name.ts";
import { turn } from "./testing/calls.ts";
import { FakeResolver } from "./testing/fake_resolver.ts";

const MAX_AGE = 30_000;
const follower = { resolved() {} };

Deno.test("a name is asked for once as long as its addresses are fresh", async () => {
  const dns = new FakeResolver(["192.0.2.1", "192.0.2.2"]);
  const name = dns.names.acquire("api.example", MAX_AGE);
  assert.deepEqual(await name.resolve(), ["192.0.2.1", "192.0.2.2"]);
  dns.pass(MAX_AGE - 1);
  assert.deepEqual(await name.resolve(), ["192.0.2.1", "192.0.2.2"]);
  assert.equal(dns.asked, 1);
});

Deno.test("addresses that are too old are asked for before they are used", async () => {
  const dns = new FakeResolver(["192.0.2.1"]);
  const name = dns.names.acquire("api.example", MAX_AGE);
  await name.resolve();
  dns.answer = ["192.0.2.9"];
  dns.pass(MAX_AGE);
  assert.deepEqual(await name.resolve(), ["192.0.2.9"]);
});

Deno.test("many who ask at once ask the resolver once", async () => {
  const dns = new FakeResolver(["192.0.2.1"]);
  const name = dns.names.acquire("api.example", MAX_AGE);
  await Promise.all(Array.from({ length: 10 }, () => name.resolve()));
  assert.equal(dns.asked, 1);
});

Deno.test("the last good addresses are kept through a failure, however long", async () => {
  const dns = new FakeResolver(["192.0.2.1"]);
  const name = dns.names.acquire("api.example", MAX_AGE);
  await name.resolve();
  dns.answer = new Error("the resolver is down");
  for (let i = 0; i < 10; i++) {
    dns.pass(MAX_AGE);
    assert.deepEqual(await name.resolve(), ["192.0.2.1"]);
  }
  assert.match(String(name.failure), /the resolver is down/);
  dns.answer = ["192.0.2.2"];
  dns.pass(1000);
  assert.deepEqual(await name.resolve(), ["192.0.2.2"]);
  assert.equal(name.failure, null);
});

Deno.test("an answer without an address is a failure", async () => {
  const dns = new FakeResolver([]);
  const name = dns.names.acquire("api.example", MAX_AGE);
  await assert.rejects(name.resolve(), /cannot be resolved: the name has no address/);
});

Deno.test("a name that cannot be resolved is asked for again after a second", async () => {
  const dns = new FakeResolver(new Error("ENOTFOUND"));
  const name = dns.names.acquire("api.example", MAX_AGE);
  for (let i = 0; i < 5; i++) {
    await assert.rejects(name.resolve(), /the name cannot be resolved: ENOTFOUND/);
  }
  assert.equal(dns.asked, 1);
  dns.pass(1000);
  dns.answer = ["192.0.2.1"];
  assert.deepEqual(await name.resolve(), ["192.0.2.1"]);
});

Deno.test("a resolver that takes long is not waited for when there are old addresses", async () => {
  const dns = new FakeResolver(["192.0.2.1"]);
  const name = dns.names.acquire("api.example", MAX_AGE);
  await name.resolve();
  const slow = Promise.withResolvers<string[]>();
  dns.answer = slow.promise;
  dns.pass(MAX_AGE);
  const first = name.resolve();
  dns.pass(1000);
  assert.deepEqual(await first, ["192.0.2.1"]);
  assert.deepEqual(await name.resolve(), ["192.0.2.1"]); // at once
  slow.resolve(["192.0.2.2"]);
  await turn();
  assert.deepEqual(await name.resolve(), ["192.0.2.2"]);
  assert.equal(dns.asked, 2);
});

Deno.test("addresses in use are kept fresh by themselves, unused ones are not", async () => {
  const dns = new FakeResolver(["192.0.2.1"]);
  const name = dns.names.acquire("api.example", MAX_AGE);
  await name.resolve();
  name.follow(follower);
  dns.pass(MAX_AGE);
  await turn();
  assert.equal(dns.asked, 2);
  name.unfollow(follower);
  dns.pass(MAX_AGE);
  await turn();
  assert.equal(dns.asked, 2);
});

Deno.test("an address is taken as it is", async () => {
  const dns = new FakeResolver(new Error("must not be asked"));
  for (const address of ["192.0.2.1", "2001:db8::1"]) {
    const name = dns.names.acquire(address, MAX_AGE);
    name.follow(follower);
    dns.pass(10 * MAX_AGE);
    assert.deepEqual(await name.resolve(), [address]);
    name.unfollow(follower);
  }
  assert.equal(dns.asked, 0);
});

Deno.test("servers share a name as long as one of them uses it", () => {
  const { names } = new FakeResolver([]);
  const first = names.acquire("api.example", MAX_AGE);
  assert.equal(names.acquire("API.example", MAX_AGE), first);
  names.release("api.example", MAX_AGE);
  assert.equal(names.acquire("api.example", MAX_AGE), first);
  names.release("api.example", MAX_AGE);
  names.release("api.example", MAX_AGE);
  assert.notEqual(names.acquire("api.example", MAX_AGE), first);
});

Deno.test("the system's resolver knows its hosts file, and says so when it knows nothing", async () => {
  assert.ok((await systemLookup("localhost")).some((address) => /^127\.|^::1$/.test(address)));
  await assert.rejects(systemLookup("does-not-exist.invalid"), /does-not-exist\.invalid/);
});
