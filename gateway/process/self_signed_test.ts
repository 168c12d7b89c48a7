import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { selfSigned } from "./self_signed.ts";

const now = new Date("2026-05-01T00:00:00Z");

Deno.test("a self-signed certificate names its hosts and addresses and has its own key", () => {
  const { cert, key } = selfSigned(["localhost", "*.example.org", "127.0.0.1", "::1"], now, 825);
  const certificate = new X509Certificate(cert);
  assert.equal(
    certificate.subjectAltName,
    "DNS:localhost, DNS:*.example.org, IP Address:127.0.0.1, IP Address:::1",
  );
  assert(certificate.checkPrivateKey(createPrivateKey(key)));
  assert(certificate.verify(certificate.publicKey));
  assert.equal(certificate.ca, false);
});

Deno.test("it is valid for the days asked for", () => {
  const { cert } = selfSigned(["localhost"], now, 825);
  const { validFrom, validTo } = new X509Certificate(cert);
  assert.equal(Date.parse(validFrom), now.getTime());
  assert.equal(Date.parse(validTo), now.getTime() + 825 * 86_400_000);
});

Deno.test("an end after 2049 is written with all digits of its year", () => {
  const { cert } = selfSigned(["localhost"], new Date("2049-06-01T00:00:00Z"), 825);
  assert.equal(Date.parse(new X509Certificate(cert).validTo), Date.UTC(2051, 8, 4));
});

Deno.test("no two certificates share a serial number", () => {
  const serials = Array.from({ length: 20 }, () => {
    return new X509Certificate(selfSigned(["localhost"], now, 1).cert).serialNumber;
  });
  assert.equal(new Set(serials).size, serials.length);
});

Deno.test("a client that trusts it finds its server to be the one it asked for", async () => {
  const certificate = selfSigned(["localhost"], new Date(), 1);
  using listener = Deno.listenTls({ hostname: "localhost", port: 0, ...certificate });
  const accepted = listener.accept();
  using client = await Deno.connectTls({
    hostname: "localhost",
    port: listener.addr.port,
    caCerts: [certificate.cert],
  });
  using server = await accepted;
  await Promise.all([client.handshake(), server.handshake()]);
});
