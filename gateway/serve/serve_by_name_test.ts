import assert from "node:assert/strict";
import { nameShown } from "../../tests/harness/by_host.ts";
import type { Certificate } from "../process/certificates.ts";
import { selfSigned } from "../process/self_signed.ts";
import { CertificatesByName } from "./certificates_by_name.ts";
import { serveByName } from "./serve_by_name.ts";

const names = ["fallback.example", "one.example", "*.wild.example"] as const;
const [fallback, one, wild] = names.map((name) => selfSigned([name], new Date(), 1)) as [
  Certificate,
  Certificate,
  Certificate,
];
const served = {
  fallback,
  fallbackHosts: [],
  byHost: [
    { hostname: "one.example", certificate: one },
    { hostname: "*.wild.example", certificate: wild },
  ],
};

async function withServer(work: (port: number) => Promise<void>) {
  const server = serveByName(
    {
      hostname: "127.0.0.1",
      port: 0,
      reusePort: true,
      onListen: () => {},
      onError: () => new Response(null, { status: 500 }),
    },
    new CertificatesByName(served, () => {}),
    () => new Response("ok"),
  );
  try {
    await work(server.addr.port);
  } finally {
    await server.shutdown();
  }
}

Deno.test("a client is shown the certificate of the name that it asks for, in any case", () =>
  withServer(async (port) => {
    assert.equal(await nameShown(port, "one.example"), "one.example");
    assert.equal(await nameShown(port, "ONE.example"), "one.example");
    assert.equal(await nameShown(port, "a.wild.example"), "*.wild.example");
    assert.equal(await nameShown(port, "other.example"), "fallback.example");
    assert.equal(await nameShown(port, ""), "fallback.example");
  }));

Deno.test("who asks for names without end gets nothing in the end, and all others go on", () =>
  withServer(async (port) => {
    for (let n = 0; n < 1000; n += 20) {
      const shown = Array.from({ length: 20 }, (_, i) => nameShown(port, `n${n + i}.example`));
      assert.deepEqual(new Set(await Promise.all(shown)), new Set(["fallback.example"]));
    }
    assert.equal(await nameShown(port, "one-too-many.example"), null);
    assert.equal(await nameShown(port, "one.example"), "one.example");
    assert.equal(await nameShown(port, "n7.example"), "fallback.example");
    assert.equal(await nameShown(port, ""), "fallback.example");
  }));
