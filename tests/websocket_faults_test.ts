/** WebSockets through a running Portico when something goes wrong, or is too slow. */
import assert from "node:assert/strict";
import { ByteUpstream } from "@/gateway/upstream/testing/byte_upstream.ts";
import {
  acceptWebSocket,
  readFrame,
  serverFrame,
} from "@/gateway/upstream/testing/websocket_server.ts";
import { BINARY, CLOSE, CONTINUATION, PING, TEXT } from "@/gateway/upstream/websocket_frame.ts";
import { AdminClient } from "./harness/admin.ts";
import { startPortico } from "./harness/portico.ts";
import { RawConnection } from "./harness/raw.ts";
import { until } from "./harness/until.ts";
import { startWebSocketUpstream } from "./harness/websocket.ts";
import { type Site, startSite, upgrade } from "./harness/websocket_site.ts";

const faults: Record<string, [frames: Uint8Array[], toUpstream: number, toClient: number]> = {
  "masked": [[serverFrame(TEXT, "x", { isMasked: true })], 1002, 1011],
  "reserved-bits": [[serverFrame(TEXT, "x", { reserved: 4 })], 1002, 1011],
  "oversized-control": [[serverFrame(PING, "x".repeat(126))], 1002, 1011],
  "fragmented-control": [[serverFrame(PING, "x", { isFinal: false })], 1002, 1011],
  "continuation": [[serverFrame(CONTINUATION, "x")], 1002, 1011],
  "no-utf8": [[serverFrame(TEXT, new Uint8Array([0xc0, 0x80]))], 1007, 1011],
  "no-close-code": [[serverFrame(CLOSE, new Uint8Array([3, 238]))], 1002, 1011],
  "too-big": [[serverFrame(BINARY, "", { length: 16n * 1_048_576n + 1n })], 1009, 1009],
};

Deno.test("an upstream that breaks the protocol is closed, and its client told that it failed", async (t) => {
  const told = new Map<string, number>();
  await using upstream = new ByteUpstream(async (peer) => {
    const path = /^GET \/(\S*)/.exec(await acceptWebSocket(peer))?.[1] ?? "";
    for (const frame of faults[path]![0]) await peer.write(frame);
    const { opcode, content } = await readFrame(peer);
    assert.equal(opcode, CLOSE);
    told.set(path, content[0]! * 256 + content[1]!);
    await peer.readToEnd();
  });
  await using site = await startSite(upstream.port);
  for (const [path, [, toUpstream, toClient]] of Object.entries(faults)) {
    await t.step(path, async () => {
      const { end } = await site.open({}, path);
      assert.equal((await end.closed).code, toClient);
      await until(() => told.has(path), "the upstream to be told");
      assert.equal(told.get(path), toUpstream);
      const row = await site.logged(path);
      assert.equal(row.response_status, 101);
      assert.equal(
        row.api_backend_response_code_details,
        toUpstream === 1009 ? "websocket_message_too_big" : "websocket_upstream_invalid",
      );
    });
  }
});

Deno.test("an upstream whose connection ends without a Close has failed", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await acceptWebSocket(peer);
    await peer.write(serverFrame(TEXT, "and then").subarray(0, 5));
  });
  await using site = await startSite(upstream.port);
  const { end } = await site.open();
  assert.deepEqual(await end.closed, { code: 1011, reason: "The upstream failed" });
  assert.equal(
    (await site.logged("chat")).api_backend_response_code_details,
    "websocket_upstream_lost",
  );
});

Deno.test("a client's message that is too big closes it with 1009", async () => {
  await using upstream = await startWebSocketUpstream();
  await using site = await startSite(upstream.port);
  const [client, server] = await site.join(upstream);
  client.send(new Uint8Array(16 * 1_048_576));
  assert.equal((await server.next()).text.length, 16 * 1_048_576);
  client.send(new Uint8Array(16 * 1_048_576 + 1));
  assert.equal((await client.closed).code, 1009);
  assert.equal((await server.closed).code, 1001);
});

Deno.test("a client that leaves before the upstream has agreed is gone for the upstream", async () => {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    asked.resolve();
    await peer.readToEnd();
    left.resolve();
  });
  await using site = await startSite(upstream.port);
  using connection = await RawConnection.open(site.portico.port);
  await connection.send(upgrade(site.key));
  await asked.promise;
  connection.connection.close();
  await left.promise;
  const row = await site.logged("raw");
  assert.equal(row.response_status, 499);
  assert.equal(row.api_backend_response_code_details, "client_left");
});

const MESSAGE = new Uint8Array(1_048_576).fill(7);
const MESSAGES = 100;

for (const slow of ["client", "upstream"] as const) {
  Deno.test(`a slow ${slow} holds the other side back, and gets everything`, async () => {
    await using upstream = await startWebSocketUpstream();
    await using site = await startSite(upstream.port);
    const [client, server] = await site.join(upstream);
    const [from, to] = slow === "client" ? [server, client] : [client, server];
    to.socket.pause();
    for (let i = 0; i < MESSAGES; i++) from.send(MESSAGE);
    await untilStill(site, () => from.socket.bufferedAmount);
    const taken = MESSAGES - from.socket.bufferedAmount / MESSAGE.length;
    assert.ok(taken < MESSAGES / 2, `${taken} MiB were taken`);
    to.socket.resume();
    for (let i = 0; i < MESSAGES; i++) assert.equal((await to.next()).text.length, MESSAGE.length);
    client.socket.close(1000);
    assert.equal((await server.closed).code, 1000);
    const { request_size, response_size } = await site.logged("chat");
    const sizes = slow === "client" ? [response_size, request_size] : [request_size, response_size];
    assert.deepEqual(sizes, [MESSAGES * MESSAGE.length, 0]);
  });
}

/** Waits until a figure stays the same while Portico does other work. */
async function untilStill({ portico }: Site, figure: () => number): Promise<void> {
  await until(async () => {
    const before = figure();
    for (let i = 0; i < 50; i++) {
      const response = await fetch(`${portico.url()}/portico/health`);
      await response.body?.cancel();
    }
    return figure() === before;
  }, "a figure to stay the same");
}

Deno.test("a message that never ends does not fill the memory", async () => {
  await using upstream = await startWebSocketUpstream();
  const config = "workers: 1\nclient:\n  websocket_memory_max_bytes: 67108864\n";
  await using site = await startSite(upstream.port, {}, config);
  const [bystander, server] = await site.join(upstream);
  using connection = await RawConnection.open(site.portico.port);
  await connection.send(upgrade(site.key));
  await connection.readUntil((text) => text.includes("\r\n\r\n"));
  const [flooded] = await upstream.accept();
  const sent = await sendFragments(connection, 4096);
  assert.ok(sent < 4096, "4 GiB were taken");
  assert.equal((await bystander.closed).code, 1001);
  assert.equal((await server.closed).code, 1001);
  assert.equal((await flooded.closed).code, 1001);
  assert.match(site.portico.output, /too much memory/);

  const [client, again] = await site.join(upstream);
  client.send("as before");
  assert.equal(await again.text(), "as before");
});

/** Sends so many MiB of one message, in fragments, unless the connection ends before; how many it sent. */
async function sendFragments(connection: RawConnection, count: number): Promise<number> {
  const [first, next] = [BINARY, CONTINUATION].map((opcode) =>
    serverFrame(opcode, MESSAGE, { isFinal: false, isMasked: true })
  );
  for (let sent = 0; sent < count; sent++) {
    try {
      await connection.send((sent === 0 ? first : next)!);
    } catch {
      return sent;
    }
  }
  return count;
}

Deno.test("a server that stops closes its WebSockets with 1001 and logs them", async () => {
  await using upstream = await startWebSocketUpstream();
  await using site = await startSite(upstream.port, {}, "workers: 2\n");
  const joined = await Promise.all(Array.from({ length: 8 }, () => site.join(upstream)));
  site.portico.signal("SIGTERM");
  for (const ends of joined) {
    for (const end of ends) assert.equal((await end.closed).code, 1001);
  }
  assert.equal((await site.portico.ended()).code, 0, site.portico.output);
  await using after = await startPortico({ dataFolder: site.portico.dataFolder });
  const rows = await new AdminClient(after.url(), site.admin.token).logs("request_path=/ws/chat");
  assert.equal(rows.length, joined.length);
  for (const row of rows) {
    assert.equal(row.api_backend_response_code_details, "websocket_closed_1001");
  }
});
