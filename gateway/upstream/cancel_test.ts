import assert from "node:assert/strict";
import { until } from "@/tests/harness/until.ts";
import type { UpstreamCall } from "./call.ts";
import { ByteUpstream } from "./testing/byte_upstream.ts";
import { request, TestGroup, text, trusting, turn } from "./testing/calls.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const clientAborted = { name: "UpstreamFault", kind: "client_aborted" };

Deno.test("a call that is cancelled while it connects is given up", async () => {
  const hello = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readBytes(1); // takes the TLS greeting and does not return it
    hello.resolve();
    await call.answer.catch(() => {});
  });
  using group = new TestGroup([upstream], { tls: trusting(null) });
  const call = group.get();
  await hello.promise;
  call.cancel();
  await assert.rejects(call.answer, clientAborted);
});

Deno.test("a call that is cancelled at once is not sent", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    assert.equal(await peer.readToEnd(), "");
  });
  using group = new TestGroup([upstream]);
  const call = group.get();
  call.cancel();
  await assert.rejects(call.answer, clientAborted);
  assert.equal(call.outcome, "aborted");
});

Deno.test("a call that is cancelled while it waits closes its connection", async () => {
  let isLeft = false;
  const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(OK);
    await peer.readHead();
    asked[0]!.resolve();
    await peer.readToEnd();
    isLeft = true;
  });
  using group = new TestGroup([upstream]);
  await group.get().answer;
  const call = group.get(); // on a kept connection: a GET, but not to be sent again
  await asked[0]!.promise;
  call.cancel();
  await assert.rejects(call.answer, clientAborted);
  await until(() => isLeft);
  assert.equal(upstream.connections, 1);
});

for (const how of ["the call", "the body"] as const) {
  Deno.test(`cancelling ${how} in the middle of an answer closes the connection`, async () => {
    let isLeft = false;
    await using upstream = new ByteUpstream(async (peer) => {
      await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
      await peer.readToEnd();
      isLeft = true;
    });
    using group = new TestGroup([upstream]);
    const call = group.get();
    const { body } = await call.answer;
    assert.ok(body instanceof ReadableStream);
    const reader = body.getReader();
    await reader.read();
    const next = reader.read();
    if (how === "the body") {
      await reader.cancel();
      assert.equal((await next).done, true);
    } else {
      call.cancel();
      await assert.rejects(next, clientAborted);
    }
    assert.equal(call.outcome, "aborted");
    assert.equal(call.responseBytes, 5);
    await until(() => isLeft);
  });
}

Deno.test("cancelling during an upload takes no more of the body", async () => {
  const cancelled = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
    cancel: () => cancelled.resolve(),
  });
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.readHead();
    await peer.readBytes(10);
    call.cancel();
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.send(request({ method: "POST", body, bodyLength: 1000 }));
  await assert.rejects(call.answer, clientAborted);
  await cancelled.promise;
});

Deno.test("cancelling a call that has ended does nothing to the next one", async () => {
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(OK);
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n");
    await peer.write("x".repeat(40_000));
    await peer.answer(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const first = group.get();
  await first.answer;
  const second = group.get();
  first.cancel();
  assert.equal((await text(await second.answer)).length, 40_000);
  const third = group.get();
  second.cancel();
  assert.equal(await text(await third.answer), "ok");
  assert.deepEqual([first.outcome, second.outcome], ["complete", "complete"]);
  assert.equal(upstream.connections, 1);
});

Deno.test("cancelling a body whose last piece was not taken spares the connection", async () => {
  const last = Promise.withResolvers<void>();
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n");
    await last.promise;
    await peer.write("last");
    await peer.answer(OK);
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const call = group.get();
  const { body } = await call.answer;
  assert.ok(body instanceof ReadableStream);
  const reader = body.getReader();
  const abandoned = assert.rejects(reader.read());
  await turn();
  reader.releaseLock();
  await abandoned;
  last.resolve(); // the piece arrives, and nobody reads any more
  await until(() => call.outcome === "complete");
  await body.cancel();
  assert.equal(await text(await group.get().answer), "ok");
  assert.equal(upstream.connections, 1);
});

Deno.test("the end of a call is told once, however it ends", async () => {
  const ends: string[] = [];
  const told = (call: UpstreamCall) => ends.push(`${call.outcome} ${call.responseBytes}`);
  await using upstream = new ByteUpstream(async (peer) => {
    await peer.answer(OK);
    await peer.answer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
    await peer.readToEnd();
  });
  using group = new TestGroup([upstream]);
  const whole = group.send(request(), told);
  await whole.answer;
  whole.cancel();
  assert.deepEqual(ends.splice(0), ["complete 2"]);
  const cut = group.send(request(), told);
  await cut.answer;
  cut.cancel();
  cut.cancel();
  assert.deepEqual(ends.splice(0), ["aborted 5"]);
});
