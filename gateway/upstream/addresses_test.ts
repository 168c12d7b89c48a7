import assert from "node:assert/strict";
import { until } from "@/tests/harness/until.ts";
import { Authority } from "./testing/authority.ts";
import { ByteUpstream, portOf, type Script } from "./testing/byte_upstream.ts";
import { TestGroup, type TestGroupOptions, text, trusting } from "./testing/calls.ts";
import { FakeResolver } from "./testing/fake_resolver.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

const serving: Script = async (peer) => {
  while (await peer.answer(OK).then(() => true, () => false));
};

/** Upstreams on the same port of several loopback addresses. */
class Upstreams extends AsyncDisposableStack {
  readonly all: readonly ByteUpstream[];
  readonly port: number;

  constructor(addresses: readonly string[], script: Script = serving) {
    super();
    const [hostname, ...others] = addresses;
    const first = Deno.listen({ hostname: hostname!, port: 0 });
    this.port = portOf(first);
    this.all = [first, ...others.map((hostname) => Deno.listen({ hostname, port: this.port }))]
      .map((listener) => this.use(new ByteUpstream(script, listener)));
  }

  /** Connections that each of them has accepted. */
  get connections(): number[] {
    return this.all.map(({ connections }) => connections);
  }
}

function groupOf(dns: FakeResolver, port: number, options: TestGroupOptions = {}): TestGroup {
  return new TestGroup([{ host: "api.example", port }], {
    names: dns.names,
    watch: dns.watch,
    dnsMaxAge: 30_000,
    ...options,
  });
}

Deno.test("of several addresses the next one is tried when one refuses", async () => {
  await using upstream = new ByteUpstream(serving);
  const dns = new FakeResolver(["127.0.0.2", "127.0.0.3", "127.0.0.1"]);
  using group = groupOf(dns, upstream.port);
  const call = group.get();
  assert.equal(await text(await call.answer), "ok");
  assert.equal(call.server, `api.example:${upstream.port}`);
});

Deno.test("when no address takes a connection the call is unreachable", async () => {
  await using gone = new ByteUpstream(serving);
  const { port } = gone;
  const dns = new FakeResolver(["127.0.0.2", "127.0.0.3"]);
  using group = groupOf(dns, port);
  await assert.rejects(group.get().answer, {
    kind: "unreachable",
    message: /^api\.example:\d+ cannot be reached: /,
  });
});

Deno.test("a name that leads nowhere is unreachable, and the fault says so", async () => {
  const dns = new FakeResolver(new Error("getaddrinfo ENOTFOUND api.example"));
  using group = groupOf(dns, 80);
  await assert.rejects(group.get().answer, {
    kind: "unreachable",
    message: "api.example:80 cannot be reached: the name cannot be resolved: " +
      "getaddrinfo ENOTFOUND api.example",
  });
});

Deno.test("connections are spread over the addresses", async () => {
  await using upstreams = new Upstreams(["127.0.0.1", "127.0.0.2", "127.0.0.3"]);
  const dns = new FakeResolver(["127.0.0.1", "127.0.0.2", "127.0.0.3"]);
  using group = groupOf(dns, upstreams.port, { maxIdlePerServer: 0 });
  for (let i = 0; i < 6; i++) await text(await group.get().answer);
  assert.deepEqual(upstreams.connections, [2, 2, 2]);
});

Deno.test("a service that moves is followed, though its old connections are alive", async () => {
  await using upstreams = new Upstreams(["127.0.0.1", "127.0.0.2"]);
  const dns = new FakeResolver(["127.0.0.1"]);
  using group = groupOf(dns, upstreams.port);
  await text(await group.get().answer);
  assert.equal(group.idleConnections, 1);
  dns.answer = ["127.0.0.2"];
  dns.pass(30_000);
  await until(() => group.idleConnections === 0);
  await text(await group.get().answer);
  assert.deepEqual(upstreams.connections, [1, 1]);
});

Deno.test("a call to where a service was is carried to its end, its connection no further", async () => {
  const goOn = Promise.withResolvers<void>();
  await using upstreams = new Upstreams(["127.0.0.1", "127.0.0.2"], async (peer) => {
    await peer.readHead();
    await goOn.promise;
    await peer.write(OK);
    await peer.readToEnd();
  });
  const dns = new FakeResolver(["127.0.0.1"]);
  using group = groupOf(dns, upstreams.port);
  const call = group.get();
  await until(() => upstreams.connections[0] === 1);
  dns.answer = ["127.0.0.2"];
  dns.pass(30_000);
  await until(() => dns.asked === 2);
  goOn.resolve();
  assert.equal(await text(await call.answer), "ok");
  assert.equal(group.idleConnections, 0);
  await text(await group.get().answer);
  assert.deepEqual(upstreams.connections, [1, 1]);
});

Deno.test("connections to addresses that still hold are kept", async () => {
  await using upstream = new ByteUpstream(serving);
  const dns = new FakeResolver(["127.0.0.1"]);
  using group = groupOf(dns, upstream.port, { idleTimeout: Infinity });
  await text(await group.get().answer);
  dns.answer = ["127.0.0.2", "127.0.0.1"];
  dns.pass(30_000);
  await until(() => dns.asked === 2);
  dns.answer = new Error("the resolver is down");
  dns.pass(30_000);
  await until(() => dns.asked === 3);
  await text(await group.get().answer);
  assert.equal(upstream.connections, 1);
});

Deno.test("over TLS the name is sent and verified, whatever address it leads to", async () => {
  const authority = new Authority("Authority");
  const { cert, key } = authority.certify(["api.example"]);
  const listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key });
  await using upstream = new ByteUpstream(serving, listener);
  const dns = new FakeResolver(["127.0.0.1"]);
  using group = groupOf(dns, upstream.port, { tls: trusting(authority.cert) });
  assert.equal(await text(await group.get().answer), "ok");
});

Deno.test("nothing of a group remains with the resolver when it is closed", async () => {
  await using upstream = new ByteUpstream(serving);
  const dns = new FakeResolver(["127.0.0.1"]);
  const group = groupOf(dns, upstream.port);
  await text(await group.get().answer);
  group.close();
  dns.pass(30_000); // the timer of a watch that still had work would fail this test
  assert.equal(dns.asked, 1);
});
