import assert from "node:assert/strict";
import { until } from "@/tests/harness/until.ts";
import { DeadlineWatch } from "../deadlines.ts";
import { ByteUpstream, type Script } from "./testing/byte_upstream.ts";
import { post, request, TestGroup, text } from "./testing/calls.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Answers any number of calls without a body. */
const answering: Script = async (peer) => {
  for (;;) {
    const head = await peer.readHead().catch(() => null);
    if (head === null) return;
    await peer.write(OK);
  }
};

Deno.test("calls one after the other share a connection", async () => {
  await using upstream = new ByteUpstream(answering);
  using group = new TestGroup([upstream]);
  for (let i = 0; i < 5; i++) assert.equal(await text(await group.get().answer), "ok");
  assert.equal(upstream.connections, 1);
});

Deno.test("a connection carries one call at a time", async () => {
  await using upstream = new ByteUpstream(answering);
  using group = new TestGroup([upstream]);
  await Promise.all([group.get().answer, group.get().answer, group.get().answer]);
  assert.equal(upstream.connections, 3);
  await Promise.all([group.get().answer, group.get().answer, group.get().answer]);
  assert.equal(upstream.connections, 3);
});

Deno.test("a streamed answer keeps its connection until its body was read", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n");
    await peer.write("x".repeat(40_000));
    await answering(peer, 0);
  });
  using group = new TestGroup([upstream]);
  assert.equal((await text(await group.get().answer)).length, 40_000);
  assert.equal(await text(await group.get().answer), "ok");
  assert.equal(upstream.connections, 1);
});

for (
  const [name, head] of Object.entries({
    "Connection: close": "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2",
    "close among other options": "HTTP/1.1 200 OK\r\nConnection: x, CLOSE\r\nContent-Length: 2",
    "HTTP/1.0": "HTTP/1.0 200 OK\r\nContent-Length: 2",
  })
) {
  Deno.test(`an answer with ${name} is the last on its connection`, async () => {
    await using upstream = new ByteUpstream(async (peer) => {
      await peer.answer(`${head}\r\n\r\nok`);
      assert.equal(await peer.readToEnd(), "");
    });
    using group = new TestGroup([upstream]);
    for (let i = 0; i < 2; i++) assert.equal(await text(await group.get().answer), "ok");
    assert.equal(upstream.connections, 2);
  });
}

Deno.test("bytes right behind an answer end the connection", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(`${OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  for (let i = 0; i < 2; i++) assert.equal(await text(await group.get().answer), "ok");
  assert.equal(upstream.connections, 2);
});

Deno.test("a body after an answer that has none ends the connection", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  for (let i = 0; i < 2; i++) await group.send(request({ method: "HEAD" })).answer;
  assert.equal(upstream.connections, 2);
});

Deno.test("bytes on an idle connection end it and are no call's answer", async () => {
  const closed: boolean[] = [];
  const speakUp = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer, index) => {
    await peer.answer(OK);
    if (index === 0) {
      await speakUp.promise;
      await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
    }
    await peer.readToEnd();
    closed[index] = true;
  });
  using group = new TestGroup([upstream]);
  assert.equal(await text(await group.get().answer), "ok");
  speakUp.resolve();
  await until(() => closed[0] === true);
  assert.equal(await text(await group.get().answer), "ok");
  assert.equal(upstream.connections, 2);
});

Deno.test("a connection that is closed while idle is not used any more, for any method", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    await peer.write(OK);
  });
  using group = new TestGroup([upstream]);
  for (let i = 1; i <= 3; i++) {
    assert.equal(await text(await group.send(post(["x"], 1)).answer), "ok");
    await until(() => group.idleConnections === 0);
    assert.equal(upstream.connections, i);
  }
});

/**
 * Answers once a connection; takes a second call and closes without a word, as a
 * server does whose time for idle connections ran out that very moment.
 */
function closingOnSecondCall(calls: string[]): Script {
  return async (peer) => {
    calls.push((await peer.answer(OK)).split(" ")[0]!);
    calls.push((await peer.readHead().catch(() => "left")).split(" ")[0]!);
  };
}

for (const method of ["GET", "HEAD", "OPTIONS"]) {
  Deno.test(`${method} is sent again, once, when an idle connection ends under it`, async () => {
    const calls: string[] = [];
    await using upstream = new ByteUpstream(closingOnSecondCall(calls));
    using group = new TestGroup([upstream]);
    await group.get().answer;
    const answer = await group.send(request({ method })).answer;
    assert.equal(answer.status, 200);
    assert.deepEqual(calls, ["GET", method, method]);
    assert.equal(upstream.connections, 2);
  });
}

for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
  Deno.test(`${method} is never sent twice`, async () => {
    const calls: string[] = [];
    await using upstream = new ByteUpstream(closingOnSecondCall(calls));
    using group = new TestGroup([upstream]);
    await group.get().answer;
    const call = group.send(request({ method, bodyLength: 0 }));
    await assert.rejects(call.answer, { kind: "invalid_response" });
    assert.deepEqual(calls, ["GET", method]);
    assert.equal(upstream.connections, 1);
  });
}

Deno.test("GET with a body is never sent twice", async () => {
  const calls: string[] = [];
  await using upstream = new ByteUpstream(closingOnSecondCall(calls));
  using group = new TestGroup([upstream]);
  await group.get().answer;
  const call = group.send({ ...post(["hello"], 5), method: "GET" });
  await assert.rejects(call.answer, { kind: "invalid_response" });
  assert.deepEqual(calls, ["GET", "GET"]);
});

Deno.test("GET is not sent again once something of an answer was read", async () => {
  for (const part of ["H", "HTTP/1.1 103 Early Hints\r\n\r\n"]) {
    await using upstream = new ByteUpstream(async (peer) => {
      await peer.answer(OK);
      await peer.answer(part);
    });
    using group = new TestGroup([upstream]);
    await group.get().answer;
    await assert.rejects(group.get().answer, { kind: "invalid_response" });
    assert.equal(upstream.connections, 1);
  }
});

Deno.test("GET is not sent a third time", async () => {
  let calls = 0;
  await using upstream = new ByteUpstream(async (peer, index) => {
    if (index === 0) await peer.answer(OK);
    await peer.readHead();
    calls++;
  });
  using group = new TestGroup([upstream]);
  await group.get().answer;
  await assert.rejects(group.get().answer, { kind: "invalid_response" });
  assert.equal(calls, 2);
});

Deno.test("an idle connection is closed after its time", async () => {
  let now = 0;
  let isLeft = false;
  const watch = new DeadlineWatch({ clock: () => now });
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(OK);
    await peer.readToEnd();
    isLeft = true;
  });
  using group = new TestGroup([upstream], { watch, idleTimeout: 60_000 });
  await group.get().answer;
  now = 59_999;
  watch.sweep();
  assert.equal(group.idleConnections, 1);
  now = 60_000;
  watch.sweep();
  assert.equal(group.idleConnections, 0);
  await until(() => isLeft);
});

Deno.test("an idle connection is closed before the server says that it does", async () => {
  let now = 0;
  const watch = new DeadlineWatch({ clock: () => now });
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(
      "HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5, max=100\r\nContent-Length: 0\r\n\r\n",
    );
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream], { watch });
  await group.get().answer;
  now = 3999;
  watch.sweep();
  assert.equal(group.idleConnections, 1);
  now = 4000;
  watch.sweep();
  assert.equal(group.idleConnections, 0);
});

Deno.test("no more idle connections are kept than configured", async () => {
  await using upstream = new ByteUpstream(answering);
  using group = new TestGroup([upstream], { maxIdlePerServer: 2 });
  await Promise.all(Array.from({ length: 5 }, () => group.get().answer));
  assert.equal(upstream.connections, 5);
  assert.equal(group.idleConnections, 2);
});

Deno.test("a closed group finishes its calls and keeps no connection", async () => {
  const goOn = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    await goOn.promise;
    await peer.write(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.get();
  await until(() => upstream.connections === 1);
  group.close();
  goOn.resolve();
  assert.equal(await text(await call.answer), "ok");
  assert.equal(group.idleConnections, 0);
  assert.equal(await text(await group.get().answer), "ok");
  assert.equal(group.idleConnections, 0);
});
