import assert from "node:assert/strict";
import { selfSigned } from "../process/self_signed.ts";
import { until } from "@/tests/harness/until.ts";
import { DeadlineWatch } from "../deadlines.ts";
import { UpstreamGroup } from "./group.ts";
import { ByteUpstream, closedPort, type Script } from "./testing/byte_upstream.ts";
import {
  request,
  TestGroup,
  type TestGroupOptions,
  text,
  trusting,
  turn,
} from "./testing/calls.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Time that passes only when a test says so; limits are 30 s, 60 s and 50 s. */
class TestTime {
  #now = 1000;
  readonly watch = new DeadlineWatch({ clock: () => this.#now });
  readonly options = {
    watch: this.watch,
    timeouts: { connect: 30_000, read: 60_000, send: 50_000 },
  };

  /** Lets `ms` pass. */
  pass(ms: number): void {
    this.#now += ms;
    this.watch.sweep();
  }
}

function timeout(message: RegExp) {
  return { name: "UpstreamFault", kind: "timeout", message };
}

Deno.test("a server that does not answer in time is left, and not asked again", async () => {
  const time = new TestTime();
  const asked = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(OK);
    await peer.readHead();
    asked.resolve();
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], time.options);
  await group.get().answer;
  const call = group.get(); // on a kept connection: a GET, even so
  await asked.promise;
  time.pass(59_999);
  assert.equal(call.outcome, "running");
  time.pass(1);
  await assert.rejects(call.answer, timeout(/sent nothing for 60 s/));
  assert.equal(call.outcome, "aborted");
  assert.equal(upstream.connections, 1);
});

Deno.test("the time to answer begins when the request is out", async () => {
  const time = new TestTime();
  const received = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readThrough("0\r\n\r\n");
    received.resolve();
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], time.options);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const call = group.send(request({ method: "POST", body: readable, bodyLength: null }));
  await writer.write(new Uint8Array(10));
  time.pass(500_000);
  await writer.write(new Uint8Array(10));
  assert.equal(call.outcome, "running");
  await writer.close();
  await received.promise;
  time.pass(59_000);
  assert.equal(call.outcome, "running");
  time.pass(1000);
  await assert.rejects(call.answer, timeout(/sent nothing for 60 s/));
});

Deno.test("a body may take any time, as long as no gap in it is too long", async () => {
  const time = new TestTime();
  const steps = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n");
    for (const { promise } of steps) {
      await promise;
      await peer.write("x");
    }
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], time.options);
  const call = group.get();
  const { body } = await call.answer;
  assert.ok(body instanceof ReadableStream);
  const reader = body.getReader();
  for (const { resolve } of steps) {
    const piece = reader.read();
    await turn(); // the stream asks for more
    time.pass(59_000);
    resolve();
    assert.equal((await piece).value?.length, 1);
  }
  const last = reader.read();
  await turn();
  time.pass(60_000);
  await assert.rejects(last, timeout(/sent nothing for 60 s/));
  assert.equal(call.outcome, "aborted");
});

Deno.test("a client that takes its time with the answer is no upstream's time-out", async () => {
  const time = new TestTime();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
    await peer.write("world");
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], time.options);
  const answer = await group.get().answer;
  time.pass(500_000);
  assert.equal(await text(answer), "helloworld");
});

Deno.test("a server that takes no bytes in time is left", async () => {
  const time = new TestTime();
  const asked = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    asked.resolve();
    await assert.rejects(call.answer, timeout(/took no bytes for 50 s/));
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], time.options);
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(1 << 20)),
  });
  const call = group.send(request({ method: "POST", body, bodyLength: null }));
  await asked.promise;
  // As long as there is room in the system's buffers every write moves the deadline.
  await until(() => {
    time.pass(49_000);
    return call.outcome !== "running";
  });
  await assert.rejects(call.answer, timeout(/took no bytes/));
});

Deno.test("a server that does not get a connection ready in time is left", async () => {
  const time = new TestTime();
  const hello = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readBytes(1); // takes the TLS greeting and does not return it
    hello.resolve();
    await call.answer.catch(() => {});
  });
  using group = new TestGroup([upstream], { ...time.options, tls: trusting(null) });
  const call = group.get();
  await hello.promise;
  time.pass(29_999);
  assert.equal(call.outcome, "running");
  time.pass(1);
  await assert.rejects(call.answer, timeout(/did not accept a connection within 30 s/));
  assert.equal(call.outcome, "aborted");
});

Deno.test("a server that cannot be connected to in time is left out by the next calls", async () => {
  const time = new TestTime();
  const hello = Promise.withResolvers<void>();
  await using silent = new ByteUpstream(async (peer) => {
    await peer.readBytes(1);
    hello.resolve();
    await first.answer.catch(() => {});
  });
  const { cert, key } = selfSigned(["127.0.0.1"], new Date(), 2);
  const listener = Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key });
  await using upstream = new ByteUpstream(async (peer) => {
    for (let i = 0; i < 3; i++) await peer.answer(OK);
    await peer.readToEnd();
  }, listener);
  using group = new TestGroup([silent, upstream], {
    ...time.options,
    tls: trusting(cert),
  });
  const first = group.get();
  await hello.promise;
  time.pass(30_000);
  await assert.rejects(first.answer, timeout(/did not accept a connection/));
  for (let i = 0; i < 3; i++) assert.equal(await text(await group.get().answer), "ok");
  assert.equal(silent.connections, 1);
});

/** Only the time for the whole call is limited, to 100 s. */
function inAll(time: TestTime): TestGroupOptions {
  return { watch: time.watch, timeouts: { read: Infinity, total: 100_000 } };
}

Deno.test("a call that takes too long in all is given up, though something came all the time", async () => {
  const time = new TestTime();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    while (call.outcome === "running") {
      await peer.write("HTTP/1.1 103 Early Hints\r\n\r\n");
      await turn();
      time.pass(10_000);
    }
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], inAll(time));
  const call = group.get();
  await assert.rejects(call.answer, timeout(/was not done with the call within 100 s/));
  assert.equal(call.outcome, "aborted");
});

Deno.test("an answer that is not whole after the time for the call is cut off", async () => {
  const time = new TestTime();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], inAll(time));
  const call = group.get();
  const answer = await call.answer;
  const body = text(answer);
  await turn();
  time.pass(99_999);
  assert.equal(call.outcome, "running");
  time.pass(1);
  await assert.rejects(body, timeout(/within 100 s/));
  assert.equal(call.outcome, "aborted");
});

Deno.test("the time for a call goes on from server to server", async () => {
  const time = new TestTime();
  const hello = Promise.withResolvers<void>();
  const script: Script = async (peer) => {
    await peer.readBytes(1);
    hello.resolve();
    await call.answer.catch(() => {});
  };
  await using silent = new ByteUpstream(script);
  using group = new TestGroup([{ host: "127.0.0.1", port: closedPort() }, silent], {
    ...inAll(time),
    tls: trusting(null),
  });
  const call = group.get();
  await hello.promise;
  time.pass(100_000);
  await assert.rejects(call.answer, timeout(/within 100 s/));
});

Deno.test("the time for a call ends with the call", async () => {
  const time = new TestTime();
  await using upstream = new ByteUpstream(async (peer) => {
    for (let i = 0; i < 2; i++) await peer.answer(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], { ...inAll(time), idleTimeout: Infinity });
  for (let i = 0; i < 2; i++) {
    const call = group.get();
    assert.equal(await text(await call.answer), "ok");
    time.pass(100_000);
    assert.equal(call.outcome, "complete");
  }
  assert.equal(upstream.connections, 1);
});

Deno.test("a connection that switches protocols may last", async () => {
  const time = new TestTime();
  const switched = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n" +
    "Upgrade: websocket\r\n\r\n";
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(switched);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], inAll(time));
  const call = group.send(request({ upgrade: "websocket" }));
  const { tunnel } = await call.answer;
  time.pass(1_000_000);
  assert.equal(call.outcome, "running");
  tunnel?.close();
  assert.equal(call.outcome, "complete");
});

Deno.test("the watch's timer runs only while somebody waits", async () => {
  const swept = Promise.withResolvers<void>();
  const watch = new DeadlineWatch({ period: 1 });
  const waiting = { expire: () => swept.resolve() };
  watch.add(waiting);
  await swept.promise;
  watch.delete(waiting); // a timer that went on would fail this test
});

Deno.test("calls on one connection have time-outs of their own", async () => {
  const time = new TestTime();
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(OK);
    await peer.readHead();
    asked[0]?.resolve();
    await peer.readToEnd();
  });
  const group = new UpstreamGroup({
    servers: [upstream.server],
    algorithm: "round_robin",
    tls: null,
    dnsMaxAge: 60_000,
    healthCheck: null,
    watch: time.watch,
  });
  const timeouts = { connect: 1000, read: 60_000, send: 1000, total: null };
  assert.equal(await text(await group.send(request({ timeouts })).answer), "ok");
  const call = group.send(request({ timeouts: { ...timeouts, read: 90_000 } }));
  await asked[0]!.promise;
  time.pass(60_000);
  assert.equal(call.outcome, "running");
  time.pass(30_000);
  await assert.rejects(call.answer, timeout(/sent nothing for 90 s/));
  assert.equal(upstream.connections, 1);
  group.close();
});
