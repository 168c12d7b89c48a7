import assert from "node:assert/strict";
import type { Certificate } from "../process/certificates.ts";
import { CertificatesByName, UnknownName } from "./certificates_by_name.ts";

const certificate = (name: string): Certificate => ({ cert: name, key: "key" });
const [fallback, one, wild] = [certificate("fallback"), certificate("one"), certificate("wild")];

function chooser(memoryMax?: number) {
  const spent: number[] = [];
  const certificates = new CertificatesByName(
    {
      fallback,
      fallbackHosts: ["plain.example", "*.shared.example"],
      byHost: [
        { hostname: "One.example", certificate: one },
        { hostname: "*.wild.example", certificate: wild },
      ],
    },
    () => spent.push(1),
    memoryMax,
  );
  return { certificates, spent };
}

Deno.test("each host has its certificate; other names, and no name, have the fallback", () => {
  const { certificates } = chooser();
  assert.equal(certificates.choose("one.example"), one);
  assert.equal(certificates.choose("a.wild.example"), wild);
  assert.equal(certificates.choose("wild.example"), fallback);
  assert.equal(certificates.choose("two.example"), fallback);
  assert.equal(certificates.choose(""), fallback);
});

Deno.test("a thousand names of no host have the fallback, and those after them are refused", () => {
  const { certificates } = chooser();
  for (let n = 0; n < 1000; n++) assert.equal(certificates.choose(`n${n}.example`), fallback);
  assert.throws(() => certificates.choose("n1000.example"), UnknownName);
  // Nobody who asks for a host of ours, or for none, is kept out by that.
  assert.equal(certificates.choose("one.example"), one);
  assert.equal(certificates.choose("b.wild.example"), wild);
  assert.equal(certificates.choose("plain.example"), fallback);
  assert.equal(certificates.choose("a.shared.example"), fallback);
  assert.equal(certificates.choose(""), fallback);
});

Deno.test("names without end come to be too much, which is told once", () => {
  for (
    const nameOf of [
      (n: number) => `n${n}.example`,
      (n: number) => `n${n}.wild.example`,
      (n: number) => `n${n}.shared.example`,
    ]
  ) {
    const { certificates, spent } = chooser(2_000_000);
    let names = 0;
    while (spent.length === 0 && names < 100_000) {
      try {
        certificates.choose(nameOf(names++));
      } catch (error) {
        assert.ok(error instanceof UnknownName);
      }
    }
    assert.ok(names > 1000 && names < 4000, `${names}`);
    for (let n = 0; n < 100; n++) {
      try {
        certificates.choose(nameOf(names++));
      } catch (error) {
        assert.ok(error instanceof UnknownName);
      }
    }
    assert.equal(spent.length, 1);
  }
});

Deno.test("names that hosts have take nothing, however often they are asked for", () => {
  const { certificates, spent } = chooser(1);
  for (let n = 0; n < 100; n++) {
    certificates.choose("one.example");
    certificates.choose("plain.example");
  }
  assert.deepEqual(spent, []);
});
