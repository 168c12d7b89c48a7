import assert from "node:assert/strict";
import { selfSigned } from "../process/self_signed.ts";
import type { UpstreamGroupOptions } from "./group.ts";
import { ByteUpstream, listenLocally, portOf } from "./testing/byte_upstream.ts";
import { post, TestGroup, text, trusting } from "./testing/calls.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const { cert, key } = selfSigned(["localhost", "127.0.0.1"], new Date(), 2);

function listenTls(): Deno.TlsListener {
  return Deno.listenTls({
    hostname: "127.0.0.1",
    port: 0,
    cert,
    key,
    alpnProtocols: ["h2", "http/1.1"],
  });
}

/** A group that asks `host` over TLS. */
function tlsGroup(
  upstream: ByteUpstream,
  host: string,
  options: Partial<UpstreamGroupOptions> = { tls: trusting(cert) },
): TestGroup {
  return new TestGroup([{ host, port: upstream.port }], options);
}

for (const host of ["localhost", "127.0.0.1"]) {
  Deno.test(`calls go over TLS to ${host}, one connection for many`, async () => {
    const requests: string[] = [];
    await using upstream = new ByteUpstream(async (peer) => {
      requests.push(await peer.answer(OK));
      requests.push(await peer.readThrough("hello"));
      await peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
      for (let i = 0; i < 10; i++) await peer.write(`4e20\r\n${"x".repeat(20_000)}\r\n`);
      await peer.write("0\r\n\r\n");
      await peer.readToEnd();
    }, listenTls());
    using group = tlsGroup(upstream, host);
    assert.equal(await text(await group.get().answer), "ok");
    assert.equal((await text(await group.send(post(["hello"], 5)).answer)).length, 200_000);
    assert.equal(upstream.connections, 1);
    assert.match(requests.join(""), /^GET \/ .*\r\n\r\nPOST \/ .*\r\n\r\nhello$/s);
  });
}

Deno.test("HTTP/1.1 is agreed on and the server's name is sent", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    // TLS begins in the clear: a record with its length in bytes 3 and 4, names as they are.
    const record = await peer.readBytes(5);
    const greeting = await peer.readBytes(record.charCodeAt(3) * 256 + record.charCodeAt(4));
    assert.match(greeting, /localhost/);
    assert.match(greeting, /http\/1\.1/);
    assert.doesNotMatch(greeting, /h2/);
  });
  using group = tlsGroup(upstream, "localhost");
  await assert.rejects(group.get().answer, { kind: "unreachable" });
});

Deno.test("a certificate of an unknown authority is not accepted", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readToEnd();
  }, listenTls());
  using group = tlsGroup(upstream, "localhost", { tls: trusting(null) });
  await assert.rejects(group.get().answer, {
    kind: "unreachable",
    message: /invalid peer certificate: UnknownIssuer/,
  });
});

Deno.test("a certificate for another name is not accepted", async () => {
  const other = selfSigned(["other.example"], new Date(), 2);
  const listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, ...other });
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readToEnd();
  }, listener);
  using group = tlsGroup(upstream, "localhost", { tls: trusting(other.cert) });
  await assert.rejects(group.get().answer, {
    kind: "unreachable",
    message: /certificate/,
  });
});

Deno.test("a server that speaks no TLS is passed over", async () => {
  await using plain = new ByteUpstream(async (peer) => {
    await peer.readBytes(1);
    await peer.write("HTTP/1.1 400 Bad Request\r\n\r\n");
  });
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(OK);
    await peer.readToEnd();
  }, listenTls());
  using group = new TestGroup([plain, upstream], { tls: trusting(cert) });
  const call = group.get();
  assert.equal(await text(await call.answer), "ok");
  assert.equal(call.server, `127.0.0.1:${upstream.port}`);
});

/** Passes bytes on to `port` and back, until it is told to cut both connections. */
class Relay implements AsyncDisposable {
  readonly #listener = listenLocally();
  readonly #relaying: Promise<void>;
  #sockets: Deno.Conn[] = [];

  constructor(port: number) {
    this.#relaying = this.#relay(port);
  }

  get port(): number {
    return portOf(this.#listener);
  }

  cut(): void {
    for (const socket of this.#sockets.splice(0)) socket.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cut();
    await this.#relaying;
  }

  async #relay(port: number): Promise<void> {
    const client = await this.#listener.accept();
    this.#listener.close();
    const server = await Deno.connect({ hostname: "127.0.0.1", port });
    this.#sockets = [client, server];
    await Promise.all([pump(client, server), pump(server, client)]);
  }
}

async function pump(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const bytes = new Uint8Array(65_536);
  try {
    for (;;) {
      const count = await from.read(bytes);
      if (count === null) return;
      await to.write(bytes.subarray(0, count));
    }
  } catch {
    // cut
  }
}

Deno.test("an answer until close that ends without TLS's own end is an aborted one", async () => {
  // RFC 9112 §9.8: anybody on the way can end TCP, only the server can end TLS.
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\n\r\nhello");
    await peer.readToEnd();
  }, listenTls());
  await using relay = new Relay(upstream.port);
  using group = new TestGroup([{ host: "127.0.0.1", port: relay.port }], {
    tls: trusting(cert),
  });
  const answer = await group.get().answer;
  relay.cut();
  await assert.rejects(text(answer), { name: "UpstreamFault", kind: "invalid_response" });
});
