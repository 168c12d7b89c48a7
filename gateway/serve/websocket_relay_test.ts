import assert from "node:assert/strict";
import { RawConnection } from "@/tests/harness/raw.ts";
import { until } from "@/tests/harness/until.ts";
import { DeadlineWatch } from "../deadlines.ts";
import type { Tunnel } from "../upstream/tunnel.ts";
import { serverFrame } from "../upstream/testing/websocket_server.ts";
import { CLOSE, TEXT } from "../upstream/websocket_frame.ts";
import { type ClientSocket, type RelayEnd, WebSocketRelay } from "./websocket_relay.ts";

const MIB = 1_048_576;

/** A client whose every step a test decides; what it cannot do is to be paused. */
class FakeClient implements ClientSocket {
  onopen: ClientSocket["onopen"] = null;
  onmessage: ClientSocket["onmessage"] = null;
  onclose: ClientSocket["onclose"] = null;
  onerror: ClientSocket["onerror"] = null;
  readyState: ClientSocket["readyState"] = WebSocket.CONNECTING;
  bufferedAmount = 0;
  readonly sent: unknown[] = [];
  readonly closings: [code?: number, reason?: string][] = [];

  send(data: unknown): void {
    this.sent.push(data);
  }

  close(...closing: [code?: number, reason?: string]): void {
    if (this.readyState !== WebSocket.OPEN) return;
    this.readyState = WebSocket.CLOSING;
    this.closings.push(closing);
  }

  open(): void {
    this.readyState = WebSocket.OPEN;
    this.onopen?.call(this.#self, new Event("open"));
  }

  say(data: string | ArrayBuffer): void {
    this.onmessage?.call(this.#self, new MessageEvent("message", { data }));
  }

  fail(): void {
    this.onerror?.call(this.#self, new Event("error"));
  }

  get #self(): WebSocket {
    return this as unknown as WebSocket; // a relay's handlers use only what is here
  }
}

/** No time passes. */
class StoppedWatch extends DeadlineWatch {
  override add(): void {}
}

/** A tunnel whose server sends what it is told to, and takes bytes when it is told to. */
class FakeTunnel implements Tunnel {
  readonly first = new Uint8Array();
  readonly buffer = new Uint8Array(16_384);
  readonly timeouts = { connect: 60_000, read: 60_000, send: 60_000, total: null };
  readonly watch = new StoppedWatch();
  isClosed = false;
  isTaking = true;
  written = 0;
  #arrived: Uint8Array[] = [];
  #reader: { into: Uint8Array; resolve(count: number | null): void } | null = null;

  arrive(bytes: Uint8Array): void {
    this.#arrived.push(bytes);
    this.#serve();
  }

  read(into: Uint8Array): Promise<number | null> {
    return new Promise((resolve) => {
      this.#reader = { into, resolve };
      this.#serve();
    });
  }

  write(bytes: Uint8Array): Promise<void> {
    this.written += bytes.length;
    return this.isTaking ? Promise.resolve() : new Promise(() => {});
  }

  close(): void {
    this.isClosed = true;
    this.#reader?.resolve(null);
  }

  #serve(): void {
    const [bytes] = this.#arrived;
    if (this.#reader === null || bytes === undefined) return;
    const { into, resolve } = this.#reader;
    this.#arrived.shift();
    this.#reader = null;
    into.set(bytes);
    resolve(bytes.length);
  }
}

/** A relay between the two, and how it has ended. */
function relayed(clientStall = 60_000) {
  const client = new FakeClient();
  const tunnel = new FakeTunnel();
  const ends: RelayEnd[] = [];
  const onEnd = (end: RelayEnd) => ends.push(end);
  const relay = new WebSocketRelay({ client, clientStall, tunnel, onEnd });
  return { client, tunnel, ends, relay };
}

Deno.test("a client that takes nothing in time is given up, and the upstream closed", async () => {
  const { client, tunnel, ends } = relayed(1);
  client.open();
  client.bufferedAmount = MIB + 1;
  tunnel.arrive(serverFrame(TEXT, "one too many"));
  await until(() => ends.length > 0);
  assert.deepEqual(ends, ["client_stalled"]);
  assert.deepEqual(client.closings, [[1001, ""]]);
  tunnel.arrive(serverFrame(CLOSE));
  await until(() => tunnel.isClosed);
});

Deno.test("a client with much to take is not sent more until it has taken it", async () => {
  const { client, tunnel, ends, relay } = relayed();
  client.open();
  client.bufferedAmount = MIB + 1;
  tunnel.arrive(serverFrame(TEXT, "first"));
  tunnel.arrive(serverFrame(TEXT, "second"));
  await until(() => client.sent.length > 0);
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(client.sent, ["first"]);
  client.bufferedAmount = MIB;
  await until(() => client.sent.length === 2);
  assert.deepEqual(ends, []);
  relay.close({ code: 1001, reason: "" });
  tunnel.close();
});

Deno.test("a client that cannot be held back is closed before the memory is full", () => {
  const { client, tunnel, ends } = relayed();
  tunnel.isTaking = false;
  client.open();
  const message = new ArrayBuffer(16 * MIB);
  for (let i = 0; i < 5; i++) client.say(message);
  assert.deepEqual(ends, ["queue_too_long"]);
  assert.deepEqual(client.closings, [[1013, ""]]);
  tunnel.close();
});

Deno.test("a client that is closed before it has opened is told when it has", () => {
  const { client, tunnel, ends, relay } = relayed();
  relay.close({ code: 1001, reason: "later" });
  assert.deepEqual(client.closings, []);
  client.open();
  assert.deepEqual(client.closings, [[1001, "later"]]);
  assert.deepEqual(ends, ["closed_1001"]);
  tunnel.close();
});

Deno.test("a client that does not open at all is lost", () => {
  const { client, tunnel, ends } = relayed();
  client.fail();
  assert.deepEqual(ends, ["client_lost"]);
  assert.ok(tunnel.isClosed);
});

Deno.test("a client that sends many small messages takes turns with others", async () => {
  const messages = 10_000;
  const tunnel = new FakeTunnel();
  const ended = Promise.withResolvers<RelayEnd>();
  let relay: WebSocketRelay | null = null;
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    relay = new WebSocketRelay({
      client: socket,
      clientStall: 60_000,
      tunnel,
      onEnd: ended.resolve,
    });
    return response;
  });
  using connection = await RawConnection.open(server.addr.port);
  await connection.send(
    "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
  );
  await connection.readUntil((text) => text.includes("\r\n\r\n"));
  const message = serverFrame(TEXT, "x", { isMasked: true });
  const sending = connection.send(
    new Uint8Array(
      Array.from({ length: messages }, () => [...message]).flat(),
    ),
  );
  const most = await mostInOneTurn(messages, () => relay!.requestBytes); // there since the handshake
  await sending;
  assert.ok(most <= 1024, `${most} messages in one turn`);
  connection[Symbol.dispose]();
  assert.equal(await ended.promise, "client_lost");
  await until(() => tunnel.isClosed, "the upstream to be closed");
});

Deno.test("an upstream that sends many small messages takes turns with others", async () => {
  const messages = 5000;
  const { client, tunnel, relay } = relayed();
  client.open();
  const message = serverFrame(TEXT, "x");
  tunnel.arrive(new Uint8Array(Array.from({ length: messages }, () => [...message]).flat()));
  const most = await mostInOneTurn(messages, () => client.sent.length);
  assert.ok(most <= 1024, `${most} messages in one turn`);
  relay.close({ code: 1000, reason: "" });
  tunnel.close();
});

/**
 * Waits until a count has come to `whole`; by how much it grew at most
 * from one turn to the next.
 */
async function mostInOneTurn(whole: number, count: () => number): Promise<number> {
  let most = 0;
  for (let before = 0; before < whole;) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    const now = count();
    most = Math.max(most, now - before);
    before = now;
  }
  return most;
}
