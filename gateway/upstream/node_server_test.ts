/** The engine against a server nobody here wrote: `node:http`, with its own ideas of framing. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { until } from "@/tests/harness/until.ts";
import { post, request, TestGroup, text } from "./testing/calls.ts";

/** A `node:http` server on a free port. */
async function serve(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no TCP address");
  return {
    host: "127.0.0.1",
    port: address.port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Does what the path says. */
const oddJobs: RequestListener = (request, response) => {
  switch (request.url) {
    case "/json":
      response.setHeader("content-type", "application/json").end('{"id":1}');
      break;
    case "/cookies":
      response.setHeader("set-cookie", ["a=1", "b=2"]).end();
      break;
    case "/chunks":
      for (let i = 0; i < 100; i++) response.write("x".repeat(1000));
      response.end();
      break;
    case "/echo":
      request.pipe(response);
      break;
    case "/no-content":
      response.writeHead(204).end();
      break;
    case "/not-modified":
      response.writeHead(304, { etag: '"1"' }).end();
      break;
    case "/hints":
      response.writeEarlyHints({ link: "</style.css>; rel=preload" }, () => response.end("late"));
      break;
    case "/close":
      response.setHeader("connection", "close").end("bye");
      break;
    case "/too-large":
      response.writeHead(413).end("too large");
      break;
    case "/cut":
      response.writeHead(200, { "content-length": "10" });
      response.write("hello", () => response.destroy());
      break;
    default:
      response.writeHead(404).end(request.url);
  }
};

Deno.test("what a Node server sends is understood, on one connection", async () => {
  await using server = await serve(oddJobs);
  using group = new TestGroup([server]);
  const json = await group.get("/json").answer;
  assert.deepEqual(json.headers.find(([name]) => name === "content-type"), [
    "content-type",
    "application/json",
  ]);
  assert.equal(await text(json), '{"id":1}');
  const cookies = (await group.get("/cookies").answer).headers;
  assert.deepEqual(cookies.filter(([name]) => name === "set-cookie"), [
    ["set-cookie", "a=1"],
    ["set-cookie", "b=2"],
  ]);
  assert.equal(await text(await group.get("/chunks").answer), "x".repeat(100_000));
  assert.equal((await group.get("/no-content").answer).status, 204);
  assert.equal((await group.get("/not-modified").answer).status, 304);
  assert.equal(await text(await group.get("/hints").answer), "late");
  const head = await group.send(request({ method: "HEAD", target: "/json" })).answer;
  assert.equal(head.body, null);
  assert.equal(await text(await group.get("//a/../b?x=%2F").answer), "//a/../b?x=%2F");
  assert.equal(group.idleConnections, 1);
  assert.equal(await text(await group.get("/close").answer), "bye");
  assert.equal(group.idleConnections, 0);
});

Deno.test("a Node server echoes bodies of both kinds", async () => {
  await using server = await serve(oddJobs);
  using group = new TestGroup([server]);
  const piece = "0123456789".repeat(10_000);
  for (const length of [10 * piece.length, null]) {
    const call = group.send({ ...post(Array(10).fill(piece), length), target: "/echo" });
    assert.ok(await text(await call.answer) === piece.repeat(10));
    assert.equal(call.requestBytes, 1_000_000);
    assert.equal(call.responseBytes, 1_000_000);
  }
  await until(() => group.idleConnections === 1);
});

Deno.test("a Node server's early refusal of a large upload is delivered", async () => {
  await using server = await serve(oddJobs);
  using group = new TestGroup([server]);
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
  });
  const call = group.send(
    request({ method: "POST", target: "/too-large", body, bodyLength: 1_000_000_000 }),
  );
  const answer = await call.answer;
  assert.equal(answer.status, 413);
  assert.equal(await text(answer), "too large");
  assert.ok(call.requestBytes < 1_000_000_000);
});

Deno.test("thousands of mixed calls and faults leave nothing behind", async () => {
  await using server = await serve(oddJobs);
  const dead = await serve(oddJobs);
  await dead[Symbol.asyncDispose]();
  using group = new TestGroup([server, dead], { algorithm: "least_conn", maxIdlePerServer: 8 });
  const tally = { complete: 0, aborted: 0 };
  const kinds: (() => Promise<void>)[] = [
    async () => assert.equal(await text(await send("/json")), '{"id":1}'),
    async () => assert.equal((await text(await send("/chunks"))).length, 100_000),
    async () => assert.equal(await text(await send("/echo", post(["a", "b"], 2))), "ab"),
    async () => assert.equal(await text(await send("/echo", post(["a", "b"], null))), "ab"),
    async () => assert.equal(await text(await send("/close")), "bye"),
    async () => await assert.rejects(async () => await text(await send("/cut"))),
    async () => await assert.rejects(send("/echo", post(["a"], 2))),
    async () => {
      const call = group.send(request({ target: "/json" }), count);
      call.cancel();
      await assert.rejects(call.answer);
    },
    async () => {
      const { body } = await send("/chunks");
      if (body instanceof ReadableStream) await body.cancel();
    },
  ];
  function send(target: string, parts = request()) {
    return group.send({ ...parts, target }, count).answer;
  }
  function count({ outcome }: { outcome: string }) {
    if (outcome === "complete") tally.complete++;
    else tally.aborted++;
  }
  const callers = Array.from({ length: 16 }, async (_, caller) => {
    for (let i = 0; i < 180; i++) await kinds[(i + caller) % kinds.length]!();
  });
  await Promise.all(callers);
  assert.equal(tally.complete + tally.aborted, 16 * 180);
  assert.ok(tally.complete >= 16 * 100, `${tally.complete} calls were complete`);
  assert.ok(group.idleConnections <= 8);
});
