import assert from "node:assert/strict";
import { until } from "@/tests/harness/until.ts";
import { Authority, type Certified } from "./testing/authority.ts";
import { ByteUpstream, listenLocally } from "./testing/byte_upstream.ts";
import { post, request, TestGroup, text } from "./testing/calls.ts";
import type { TlsOptions } from "./transport.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const authority = new Authority("Authority");

/** A server that shows the certificate and answers every call. */
function serving(certificate: Certified): ByteUpstream {
  const { cert, key } = certificate;
  const listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key });
  return new ByteUpstream(async (peer) => {
    while (await peer.answer(OK).then(() => true, () => false));
  }, listener);
}

function groupOf(upstream: ByteUpstream, tls: Partial<TlsOptions>, host = "localhost"): TestGroup {
  return new TestGroup([{ host, port: upstream.port }], {
    tls: { verify: true, ca: null, serverName: null, ...tls },
  });
}

Deno.test("a certificate that the backend's own authority has signed is accepted", async () => {
  await using upstream = serving(authority.certify(["localhost"]));
  using group = groupOf(upstream, { ca: authority.cert });
  assert.equal(await text(await group.get().answer), "ok");
  assert.equal(await text(await group.get().answer), "ok");
  assert.equal(upstream.connections, 1);
});

Deno.test("of several certificates that are trusted, each counts", async () => {
  await using upstream = serving(authority.certify(["localhost"]));
  using group = groupOf(upstream, { ca: new Authority("Other").cert + authority.cert });
  assert.equal(await text(await group.get().answer), "ok");
});

Deno.test("a server that shows the trusted certificate itself is accepted, an authority's too", async () => {
  const own = new Authority("localhost", ["localhost"]);
  await using upstream = serving(own);
  using group = groupOf(upstream, { ca: own.cert });
  for (let i = 0; i < 3; i++) assert.equal(await text(await group.get().answer), "ok");
  await until(() => group.idleConnections === 1);
});

Deno.test("the name that is given is asked for and expected instead of the host", async () => {
  await using upstream = serving(authority.certify(["inner.example"]));
  using group = groupOf(upstream, { ca: authority.cert, serverName: "inner.example" }, "127.0.0.1");
  assert.equal(await text(await group.get().answer), "ok");
});

const refused: Record<string, [certificate: Certified, tls: Partial<TlsOptions>]> = {
  "of another authority": [
    new Authority("Other").certify(["localhost"]),
    { ca: authority.cert },
  ],
  "for another name": [authority.certify(["other.example"]), { ca: authority.cert }],
  "for the host and not for the name that is given": [
    authority.certify(["localhost"]),
    { ca: authority.cert, serverName: "inner.example" },
  ],
  "that has expired": [
    authority.certify(["localhost"], [-2 * 86_400_000, -86_400_000]),
    { ca: authority.cert },
  ],
  "that is another authority's own": [
    new Authority("localhost", ["localhost"]),
    { ca: authority.cert },
  ],
  "that nobody is known to have signed": [authority.certify(["localhost"]), {}],
};

for (const [what, [certificate, tls]] of Object.entries(refused)) {
  Deno.test(`a certificate ${what} is refused`, async () => {
    await using upstream = serving(certificate);
    using group = groupOf(upstream, tls);
    await assert.rejects(group.get().answer, { kind: "unreachable", message: /certificate/ });
  });

  Deno.test(`without verification a certificate ${what} is accepted`, async () => {
    await using upstream = serving(certificate);
    using group = groupOf(upstream, { ...tls, verify: false });
    assert.equal(await text(await group.get().answer), "ok");
    assert.equal(await text(await group.get().answer), "ok");
    assert.equal(upstream.connections, 1);
  });
}

Deno.test("an authority's certificate for another name is refused, though trusted", async () => {
  const own = new Authority("other.example", ["other.example"]);
  await using upstream = serving(own);
  using group = groupOf(upstream, { ca: own.cert });
  await assert.rejects(group.get().answer, { kind: "unreachable", message: /other\.example/ });
});

Deno.test("without verification, bodies of any size go both ways", async () => {
  const { cert, key } = authority.certify(["localhost"]);
  const size = 3_000_000;
  const upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    const body = await peer.readBytes(size);
    await peer.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
    await peer.write(body);
    await peer.answer("HTTP/1.1 200 OK\r\n\r\nuntil close");
  }, Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key }));
  await using _ = upstream;
  using group = groupOf(upstream, { verify: false });
  const body = "0123456789".repeat(size / 10);
  assert.equal(await text(await group.send(post([body], size)).answer), body);
  assert.equal(await text(await group.get().answer), "until close");
});

Deno.test("without verification, a call that is cancelled closes its connection", async () => {
  const { cert, key } = authority.certify(["localhost"]);
  const asked = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    asked.resolve();
    await peer.readToEnd();
  }, Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key }));
  using group = groupOf(upstream, { verify: false });
  const call = group.send(request());
  await asked.promise;
  call.cancel();
  await assert.rejects(call.answer, { kind: "client_aborted" });
});

Deno.test("without verification, a handshake that does not come about is given up", async () => {
  const hello = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readBytes(1); // takes the greeting and does not return it
    hello.resolve();
    await peer.readToEnd();
  }, listenLocally());
  using group = groupOf(upstream, { verify: false });
  const call = group.get();
  await hello.promise;
  call.cancel();
  await assert.rejects(call.answer, { kind: "client_aborted" });
});

Deno.test("without verification, a server that is not there is unreachable", async () => {
  const listener = listenLocally();
  const upstream = new ByteUpstream(() => {}, listener);
  await upstream[Symbol.asyncDispose]();
  using group = groupOf(upstream, { verify: false }, "127.0.0.1");
  await assert.rejects(group.get().answer, { kind: "unreachable", message: /ECONNREFUSED/ });
});
