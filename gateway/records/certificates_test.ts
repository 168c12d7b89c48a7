import assert from "node:assert/strict";
import * as v from "valibot";
import { Authority } from "../upstream/testing/authority.ts";
import { certificates } from "./certificates.ts";

const { cert, key } = new Authority("Authority");

function problem(value: string): string | undefined {
  return v.safeParse(certificates, value).issues?.[0].message;
}

Deno.test("certificates are taken as they are, one or several, with comments between", () => {
  const chain = `# ours\n${cert}\n# theirs\n${new Authority("Other").cert}`;
  assert.equal(v.parse(certificates, cert), cert.trim());
  assert.equal(v.parse(certificates, chain), chain.trim());
  const withCrLf = cert.replaceAll("\n", "\r\n");
  assert.equal(v.parse(certificates, withCrLf), withCrLf.trim());
});

Deno.test("no text is no certificate", () => {
  assert.equal(v.parse(certificates, " \n"), null);
});

Deno.test("what is no certificate is refused, and said which", () => {
  assert.match(problem("nonsense")!, /must be certificates in PEM/);
  assert.match(problem(cert.slice(0, -30))!, /must be certificates in PEM/);
  assert.match(
    problem("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----")!,
    /must be certificates in PEM/,
  );
  const broken = cert.replace("MII", "AII");
  assert.equal(problem(broken), "certificate 1 cannot be read");
  assert.equal(problem(cert + broken), "certificate 2 cannot be read");
});

Deno.test("a private key is refused, and not quoted", () => {
  for (const text of [key, cert + key]) {
    assert.equal(problem(text), "holds a private key: only certificates belong here");
  }
});
