import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { DeadlineWatch } from "../deadlines.ts";
import { ByteUpstream, type Script } from "./testing/byte_upstream.ts";
import { request, TestGroup, text } from "./testing/calls.ts";
import type { Tunnel } from "./tunnel.ts";

const SWITCHED = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n" +
  "Upgrade: WebSocket\r\nX-Mine: 1\r\n\r\n";
const UPGRADE = request({ upgrade: "websocket" });

/** The next bytes that come through, in latin1; null at the end. */
async function read(tunnel: Tunnel): Promise<string | null> {
  const count = await tunnel.read(tunnel.buffer);
  return count === null ? null : Buffer.from(tunnel.buffer.subarray(0, count)).toString("latin1");
}

async function switched(group: TestGroup): Promise<Tunnel> {
  const { tunnel } = await group.send(UPGRADE).answer;
  assert.ok(tunnel);
  return tunnel;
}

Deno.test("a connection that has switched protocols carries bytes both ways until it is closed", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    const head = await peer.answer(`${SWITCHED}and the first bytes`);
    assert.match(head, /^connection: Upgrade\r\nupgrade: websocket\r$/m);
    await peer.write(await peer.readBytes(4));
    assert.equal(await peer.readToEnd(), "");
  });
  using group = new TestGroup([upstream]);
  const call = group.send(UPGRADE);
  const { status, headers, body, tunnel } = await call.answer;
  assert.deepEqual({ status, headers, body }, {
    status: 101,
    headers: [["x-mine", "1"]],
    body: null,
  });
  assert.ok(tunnel);
  assert.equal(Buffer.from(tunnel.first).toString(), "and the first bytes");
  await tunnel.write(Buffer.from("ping"));
  assert.equal(await read(tunnel), "ping");
  assert.equal(call.outcome, "running");
  tunnel.close();
  tunnel.close();
  assert.equal(call.outcome, "complete");
  assert.equal(group.idleConnections, 0);
});

Deno.test("an upgrade that the server does not follow is answered like any call", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno");
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const answer = await group.send(UPGRADE).answer;
  assert.equal(answer.tunnel, undefined);
  assert.equal(await text(answer), "no");
  assert.equal(group.idleConnections, 1);
});

const faulty: Record<string, [answer: string, upgrade?: "websocket"]> = {
  "that was not asked for": [SWITCHED],
  "to another protocol": [SWITCHED.replace("WebSocket", "h2c"), "websocket"],
  "without naming it in Connection": [SWITCHED.replace("Connection: Upgrade\r\n", ""), "websocket"],
  "without saying to which": [SWITCHED.replace("Upgrade: WebSocket\r\n", ""), "websocket"],
};

for (const [what, [answer, upgrade]] of Object.entries(faulty)) {
  Deno.test(`a switch of protocols ${what} is a fault`, async () => {
    await using upstream = new ByteUpstream(async (peer) => {
      await peer.answer(answer);
    });
    using group = new TestGroup([upstream]);
    await assert.rejects(group.send(upgrade ? UPGRADE : request()).answer, {
      kind: "invalid_response",
      message: /switches protocols unasked/,
    });
  });
}

Deno.test("a tunnel ends with the connection, with the call, and when nothing comes", async (t) => {
  let now = 0;
  const watch = new DeadlineWatch({ clock: () => now });
  const script: Script = async (peer, index) => {
    await peer.answer(SWITCHED);
    if (index > 0) await peer.readToEnd();
  };
  await using upstream = new ByteUpstream(script);
  using group = new TestGroup([upstream], {
    watch,
    timeouts: { connect: 30_000, read: 60_000, send: 50_000 },
  });

  await t.step("the server closes", async () => {
    const tunnel = await switched(group);
    assert.equal(await read(tunnel), null);
    tunnel.close();
  });
  await t.step("the client has gone", async () => {
    const call = group.send(UPGRADE);
    const { tunnel } = await call.answer;
    const reading = tunnel!.read(tunnel!.buffer);
    call.cancel();
    await assert.rejects(reading, { kind: "client_aborted" });
    await assert.rejects(tunnel!.write(new Uint8Array(1)), { kind: "client_aborted" });
  });
  await t.step("nothing comes for as long as the read time-out says", async () => {
    const tunnel = await switched(group);
    now += 3_600_000; // nobody reads, so nobody waits
    watch.sweep();
    const reading = tunnel.read(tunnel.buffer);
    now += 60_000;
    watch.sweep();
    await assert.rejects(reading, { kind: "timeout", message: /sent nothing for 60 s/ });
  });
});
