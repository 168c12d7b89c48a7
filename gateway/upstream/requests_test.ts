import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { until } from "@/tests/harness/until.ts";
import { ByteUpstream } from "./testing/byte_upstream.ts";
import { post, request, TestGroup, text } from "./testing/calls.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** A body that gives what is put into it, and tells when it is no longer wanted. */
function openBody() {
  const cancelled = Promise.withResolvers<void>();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({
    start: (started) => void (controller = started),
    cancel: () => cancelled.resolve(),
  });
  return {
    stream,
    cancelled: cancelled.promise,
    send: (piece: string) => controller.enqueue(Buffer.from(piece, "latin1")),
    end: () => controller.close(),
    fail: () => controller.error(new Error("client has gone")),
  };
}

Deno.test("a request goes out as it was given, in one piece", async () => {
  let head = "";
  await using upstream = new ByteUpstream(async (peer) => {
    head = await peer.answer(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.send(request({
    method: "PROPFIND",
    target: "//a/../b%2Fc?x=1&x=|?é",
    headers: [["host", "api.example"], ["x-a", "1"], ["x-a", "2"], ["x-latin", "caf\xe9"]],
  }));
  await call.answer;
  assert.equal(
    head,
    "PROPFIND //a/../b%2Fc?x=1&x=|?\xc3\xa9 HTTP/1.1\r\n" +
      "host: api.example\r\nx-a: 1\r\nx-a: 2\r\nx-latin: caf\xe9\r\n\r\n",
  );
  assert.equal(call.requestBytes, 0);
});

Deno.test("a head larger than the buffer goes out whole", async () => {
  const value = "x".repeat(40_000);
  let head = "";
  await using upstream = new ByteUpstream(async (peer) => {
    head = await peer.answer(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  await group.send(request({ headers: [["host", "a"], ["x-large", value]] })).answer;
  assert.equal(head, `GET / HTTP/1.1\r\nhost: a\r\nx-large: ${value}\r\n\r\n`);
});

Deno.test("a body of known length goes out under its Content-Length", async () => {
  let received = "";
  await using upstream = new ByteUpstream(async (peer) => {
    received = await peer.readHead() + await peer.readBytes(10);
    await peer.write(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.send(post(["hello", "", "world"], 10));
  assert.equal(await text(await call.answer), "ok");
  assert.equal(
    received,
    "POST / HTTP/1.1\r\nhost: upstream.example\r\ncontent-length: 10\r\n\r\nhelloworld",
  );
  assert.equal(call.requestBytes, 10);
});

Deno.test("a body of unknown length goes out in chunks of our own", async () => {
  let received = "";
  await using upstream = new ByteUpstream(async (peer) => {
    received = await peer.readHead() + await peer.readThrough("0\r\n\r\n");
    await peer.write(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.send(post(["hello", "", "x".repeat(20)], null));
  assert.equal(await text(await call.answer), "ok");
  assert.equal(
    received,
    "POST / HTTP/1.1\r\nhost: upstream.example\r\ntransfer-encoding: chunked\r\n\r\n" +
      `5\r\nhello\r\n14\r\n${"x".repeat(20)}\r\n0\r\n\r\n`,
  );
  assert.equal(call.requestBytes, 25);
});

Deno.test("an empty body of known length is said to be empty", async () => {
  for (const body of [null, new ReadableStream<Uint8Array>()]) {
    let head = "";
    await using upstream = new ByteUpstream(async (peer) => {
      head = await peer.answer(OK);
      await peer.readToEnd();
    });
    using group = new TestGroup([upstream]);
    await group.send(request({ method: "POST", body, bodyLength: 0 })).answer;
    assert.match(head, /\r\ncontent-length: 0\r\n\r\n$/);
  }
});

Deno.test("the connection is kept after a body that was sent whole", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readThrough("helloworld");
    await peer.write(OK);
    await peer.readThrough("0\r\n\r\n");
    await peer.write(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  assert.equal(await text(await group.send(post(["hello", "world"], 10)).answer), "ok");
  assert.equal(await text(await group.send(post(["again"], null)).answer), "ok");
  assert.equal(upstream.connections, 1);
});

Deno.test("a large body goes out byte for byte", async () => {
  const piece = "0123456789abcde".repeat(10_000);
  let received = "";
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    received = await peer.readBytes(20 * piece.length);
    await peer.write(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.send(post(Array(20).fill(piece), 20 * piece.length));
  assert.equal(await text(await call.answer), "ok");
  assert.ok(received === piece.repeat(20));
});

Deno.test("a client that sends less than it announced is cut off from the upstream", async () => {
  let received = "";
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    received = await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.send(post(["hell"], 5));
  await assert.rejects(call.answer, { name: "UpstreamFault", kind: "client_aborted" });
  await until(() => received !== "");
  assert.equal(received, "hell");
});

Deno.test("nothing beyond the announced length reaches the upstream", async () => {
  let received = "";
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    received = await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const smuggled = "GET /evil HTTP/1.1\r\n\r\n";
  const call = group.send(post(["hell", `o${smuggled}`], 5));
  await assert.rejects(call.answer, { name: "UpstreamFault", kind: "client_aborted" });
  await until(() => received !== "");
  assert.equal(received, "hell");
});

Deno.test("a client that fails in the middle of its body is cut off from the upstream", async () => {
  const body = openBody();
  let received: string | undefined;
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readThrough("hel\r\n");
    body.fail();
    received = await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.send(request({ method: "POST", body: body.stream, bodyLength: null }));
  body.send("hel");
  await assert.rejects(call.answer, { name: "UpstreamFault", kind: "client_aborted" });
  await until(() => received !== undefined);
  assert.equal(received, ""); // above all no last chunk
  assert.equal(call.outcome, "aborted");
});

for (const connection of ["", "Connection: close\r\n"]) {
  const name = connection === "" ? "an open connection" : "Connection: close";
  Deno.test(`an early answer with ${name} is delivered and ends the upload`, async () => {
    const body = openBody();
    await using upstream = new ByteUpstream(async (peer, index) => {
      await peer.readHead();
      if (index === 0) {
        await peer.write(
          `HTTP/1.1 413 Content Too Large\r\n${connection}Content-Length: 7\r\n\r\ntoo big`,
        );
      } else await peer.write(OK);
      await peer.readToEnd();
    });
    using group = new TestGroup([upstream]);
    const call = group.send(
      request({ method: "POST", body: body.stream, bodyLength: 1_000_000_000 }),
    );
    body.send("x".repeat(1000));
    const answer = await call.answer;
    assert.equal(answer.status, 413);
    assert.equal(await text(answer), "too big");
    await body.cancelled;
    assert.equal(call.outcome, "complete");
    assert.equal(await text(await group.get().answer), "ok");
    assert.equal(upstream.connections, 2);
  });
}

Deno.test("an error that announces the end of the connection stops the upload at once", async () => {
  const body = openBody();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    await peer.write(
      "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 2\r\n\r\nn",
    );
    await body.cancelled;
    await peer.write("o");
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.send(request({ method: "POST", body: body.stream, bodyLength: null }));
  assert.equal(await text(await call.answer), "no");
});

Deno.test("an upstream may answer while it takes the body, and both go on", async () => {
  const body = openBody();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    await peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (let i = 0; i < 3; i++) {
      const size = await peer.readThrough("\r\n");
      await peer.write(size + await peer.readThrough("\r\n"));
    }
    await peer.readThrough("0\r\n\r\n");
    await peer.write("0\r\n\r\n");
    await peer.answer(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.send(request({ method: "POST", body: body.stream, bodyLength: null }));
  const answer = await call.answer;
  assert.ok(answer.body instanceof ReadableStream);
  const reader = answer.body.getReader();
  for (const piece of ["one", "two", "three"]) {
    body.send(piece);
    assert.equal(String.fromCharCode(...(await reader.read()).value!), piece);
  }
  body.end();
  assert.equal((await reader.read()).done, true);
  assert.equal(call.outcome, "complete");
  assert.equal(await text(await group.get().answer), "ok");
  assert.equal(upstream.connections, 1);
});
