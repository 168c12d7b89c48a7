import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { DeadlineWatch } from "../deadlines.ts";
import { ByteUpstream, type Peer } from "./testing/byte_upstream.ts";
import { request, TestGroup, turn } from "./testing/calls.ts";
import {
  acceptWebSocket,
  type ClientFrame,
  closeFrame,
  readFrame,
  serverFrame,
} from "./testing/websocket_server.ts";
import { UpstreamWebSocket } from "./websocket.ts";
import { CLOSE, PING, PONG, TEXT } from "./websocket_frame.ts";
import { WebSocketHandshake } from "./websocket_handshake.ts";

const LIMITS = { connect: 30_000, read: 60_000, send: 50_000 };

/** A WebSocket to a server that does as `script` says, in a time that passes when told to. */
class Joined implements AsyncDisposable {
  #now = 1000;
  readonly #watch = new DeadlineWatch({ clock: () => this.#now });
  readonly #upstream: ByteUpstream;
  readonly #group: TestGroup;

  constructor(script: (peer: Peer) => Promise<void>) {
    this.#upstream = new ByteUpstream(async (peer) => {
      await acceptWebSocket(peer);
      await script(peer);
    });
    this.#group = new TestGroup([this.#upstream], {
      watch: this.#watch,
      timeouts: { ...LIMITS, total: 1000 }, // a WebSocket's lasting has no limit
    });
  }

  async open(onTaken: () => void = () => {}): Promise<UpstreamWebSocket> {
    const handshake = new WebSocketHandshake([["host", "upstream.example"]]);
    const { tunnel } = await this.#group.send(request(handshake.request)).answer;
    assert.ok(tunnel);
    return new UpstreamWebSocket(tunnel, { messageLimit: 1024, onTaken });
  }

  /** Lets `ms` pass. */
  pass(ms: number): void {
    this.#now += ms;
    this.#watch.sweep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#group[Symbol.dispose]();
    await this.#upstream[Symbol.asyncDispose]();
  }
}

/** A frame's opcode and content in words. */
function words({ opcode, content }: ClientFrame): [opcode: number, content: string] {
  return [opcode, Buffer.from(content).toString("latin1")];
}

Deno.test("into a long silence the server is asked whether it is there, and given up without an answer", async () => {
  const pinged = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await using joined = new Joined(async (peer) => {
    assert.deepEqual(words(await readFrame(peer)), [PING, ""]);
    pinged.resolve();
    await answered.promise;
    await peer.write(serverFrame(PONG));
    await peer.write(serverFrame(TEXT, "still here"));
    assert.deepEqual(words(await readFrame(peer)), [PING, ""]);
    assert.equal(await peer.readToEnd(), "");
  });
  const socket = await joined.open();
  const first = socket.receive();
  joined.pass(29_999);
  joined.pass(1);
  await pinged.promise;
  joined.pass(29_999);
  answered.resolve();
  assert.deepEqual(await first, { kind: "text", text: "still here", size: 10 });
  const second = socket.receive();
  joined.pass(30_000);
  joined.pass(30_000);
  await assert.rejects(second, { name: "UpstreamFault", kind: "timeout" });
});

Deno.test("a server that nobody reads from is not asked, and may wait as long as it likes", async () => {
  await using joined = new Joined(async (peer) => {
    await peer.write(serverFrame(TEXT, "early"));
    assert.deepEqual(words(await readFrame(peer)), [CLOSE, ""]);
    await peer.write(closeFrame({ code: null, reason: "" }));
  });
  const socket = await joined.open();
  for (let hour = 0; hour < 24; hour++) joined.pass(3_600_000);
  const received = await socket.receive();
  assert.equal(received?.kind, "text");
  socket.close({ code: null, reason: "" });
  assert.deepEqual(await socket.receive(), {
    kind: "close",
    closing: { code: null, reason: "" },
  });
});

Deno.test("of many pings the last one is answered, before what is still queued", async () => {
  const ready = Promise.withResolvers<void>();
  await using joined = new Joined(async (peer) => {
    for (let i = 0; i < 1000; i++) await peer.write(serverFrame(PING, `ping ${i}`));
    await peer.write(serverFrame(TEXT, "that was all"));
    await ready.promise;
    let last = "";
    for (let frame = await readFrame(peer); frame.opcode === PONG; frame = await readFrame(peer)) {
      last = words(frame)[1];
    }
    assert.equal(last, "ping 999");
  });
  const socket = await joined.open();
  assert.equal((await socket.receive())?.kind, "text");
  socket.send(TEXT, Buffer.from("after the pongs"));
  ready.resolve();
  assert.equal(await socket.receive(), null);
});

Deno.test("small messages go out together, in their order, and are counted until they are taken", async () => {
  const texts = Array.from({ length: 500 }, (_, i) => `message ${i}`);
  await using joined = new Joined(async (peer) => {
    for (const text of texts) assert.deepEqual(words(await readFrame(peer)), [TEXT, text]);
    await peer.write(closeFrame({ code: 1000, reason: "thanks" }));
    assert.deepEqual(words(await readFrame(peer)), [CLOSE, "\x03\xe8thanks"]);
    assert.equal(await peer.readToEnd(), "");
  });
  let writes = 0;
  const taken = Promise.withResolvers<void>();
  const socket = await joined.open(() => {
    writes++;
    if (socket.queuedBytes === 0) taken.resolve();
  });
  for (const text of texts) socket.send(TEXT, Buffer.from(text));
  // What a small frame takes while it waits is mostly not its own bytes.
  assert.ok(socket.queuedBytes > texts.length * 256);
  await taken.promise;
  assert.equal(writes, 2); // the first one alone, and the rest
  const closing = { code: 1000, reason: "thanks" };
  assert.deepEqual(await socket.receive(), { kind: "close", closing });
  const { queuedBytes } = socket; // the answer to the Close
  socket.send(TEXT, Buffer.from("too late"));
  assert.equal(socket.queuedBytes, queuedBytes);
});

Deno.test("a server that does not close after us is left after 5 seconds", async () => {
  await using joined = new Joined(async (peer) => {
    assert.equal((await readFrame(peer)).opcode, CLOSE);
    await peer.readToEnd();
  });
  const taken = Promise.withResolvers<void>();
  const socket = await joined.open(() => taken.resolve());
  let isLeft = false;
  const received = socket.receive().finally(() => isLeft = true);
  socket.close({ code: 1000, reason: "" });
  await taken.promise;
  joined.pass(4999);
  await turn();
  assert.equal(isLeft, false);
  joined.pass(1);
  await assert.rejects(received);
});

Deno.test("what a server sends against the rules is the last that is read of it", async () => {
  await using joined = new Joined(async (peer) => {
    await peer.write(serverFrame(TEXT, "x".repeat(1025)));
    assert.deepEqual(words(await readFrame(peer)), [CLOSE, "\x03\xf1"]);
    assert.equal(await peer.readToEnd(), "");
  });
  const socket = await joined.open();
  await assert.rejects(socket.receive(), { name: "WebSocketError", code: 1009 });
});

Deno.test("after the connection has broken, messages are dropped and not kept", async () => {
  await using joined = new Joined(() => Promise.resolve());
  const socket = await joined.open();
  assert.equal(await socket.receive(), null);
  socket.send(TEXT, new Uint8Array(1000));
  assert.equal(socket.queuedBytes, 0);
  socket.abort();
});
