import assert from "node:assert/strict";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { plainAddress } from "../exchange/client.ts";
import { Subjects } from "./subjects.ts";

const subjects = new Subjects({ high: 1, low: 2 });
const of = (address: string) => JSON.stringify(subjects.address(address));

Deno.test("all addresses of a /64 network count as one, and no others do", () => {
  const network = (address: string) => ipaddr.parse(address).toByteArray().slice(0, 8).join();
  // Few values and many zeros, so that `::` stands in every place and networks meet.
  const group = fc.constantFrom("0", "0", "1", "a0f", "ffff");
  const address = fc.array(group, { minLength: 8, maxLength: 8 })
    .map((groups) => plainAddress(groups.join(":")))
    .filter((address) => address.includes(":"));
  fc.assert(fc.property(address, address, (one, other) => {
    assert.equal(of(one) === of(other), network(one) === network(other), `${one} ${other}`);
  }));
  assert.equal(of("2001:db8::1"), of("2001:db8:0:0:1::"));
  assert.notEqual(of("2001:db8::1"), of("2001:db8:0:1::1"));
});

Deno.test("IPv4 addresses count one by one", () => {
  assert.equal(of("192.0.2.1"), of("192.0.2.1"));
  assert.notEqual(of("192.0.2.1"), of("192.0.2.2"));
});

Deno.test("a network of IPv6 is no IPv4 address whose text has the same bits", () => {
  // "10.0", two characters a word.
  assert.notEqual(of("30:31:30:2e::1"), of("10.0"));
});

Deno.test("the same seed gives the same hash in every isolate, another seed another one", () => {
  const key = "018f0000-0000-7000-8000-000000000001";
  assert.deepEqual(subjects.keyHolder(key), new Subjects({ high: 1, low: 2 }).keyHolder(key));
  for (const seed of [{ high: 1, low: 3 }, { high: 2, low: 2 }]) {
    assert.notDeepEqual(subjects.keyHolder(key), new Subjects(seed).keyHolder(key));
  }
});

Deno.test("keys that differ in one character fall apart in both words", () => {
  const [high, low] = [new Set<number>(), new Set<number>()];
  for (let key = 0; key < 5000; key++) {
    const hash = subjects.keyHolder(`018f0000-0000-7000-8000-${String(key).padStart(12, "0")}`);
    high.add(hash.high);
    low.add(hash.low);
  }
  // Of 5000 random words of 32 bits, two alike are to be expected in one of 340 tries.
  assert.ok(high.size >= 4999 && low.size >= 4999);
});
