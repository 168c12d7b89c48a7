import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { testWith } from "@/tests/harness/machine_needs.ts";
import { Nginx, nginxNeed } from "@/tests/harness/nginx.ts";
import { until } from "@/tests/harness/until.ts";
import { Authority } from "./testing/authority.ts";
import { request, TestGroup, text, trusting } from "./testing/calls.ts";

const MEGABYTE = 1 << 20;

/** Bytes that do not repeat soon. */
function noise(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let i = 0, x = 1; i < length; i++) {
    bytes[i] = (x = Math.imul(x, 1_103_515_245) + 12_345) >> 16;
  }
  return bytes;
}

/** `bytes` as a body that comes piece by piece. */
function pieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, at += 50_000));
      if (at >= bytes.length) controller.close();
    },
  });
}

function valueOf(headers: readonly (readonly [string, string])[], name: string) {
  return headers.find(([key]) => key === name)?.[1];
}

/** The numbers of the connections that nginx was asked on. */
function connectionsOf(nginx: Nginx): number {
  return new Set(nginx.calls().map((line) => line.split(" ").at(-1))).size;
}

testWith(
  nginxNeed,
  "nginx: many calls go over one connection, whatever they are answered",
  async () => {
    await using nginx = await Nginx.start(`
    location /none { return 204; }
    location /gone { return 410 "gone"; }
    location /moved { return 301 https://elsewhere.example/; }
  `);
    nginx.write("page.txt", "hello");
    using group = new TestGroup([nginx.server]);
    const ask = (method: string, target: string, ...headers: [string, string][]) =>
      group.send(request({ method, target, headers: [["host", "h.example"], ...headers] })).answer;

    const page = await ask("GET", "/page.txt");
    assert.equal(await text(page), "hello");
    assert.equal(valueOf(page.headers, "content-length"), "5");
    const etag = valueOf(page.headers, "etag")!;
    const head = await ask("HEAD", "/page.txt");
    assert.deepEqual([head.status, head.body, valueOf(head.headers, "content-length")], [
      200,
      null,
      "5",
    ]);
    const unchanged = await ask("GET", "/page.txt", ["if-none-match", etag]);
    assert.deepEqual([unchanged.status, unchanged.body], [304, null]);
    const none = await ask("GET", "/none");
    assert.deepEqual([none.status, none.body], [204, null]);
    const part = await ask("GET", "/page.txt", ["range", "bytes=1-3"]);
    assert.deepEqual([part.status, await text(part)], [206, "ell"]);
    assert.equal(await text(await ask("GET", "/gone")), "gone");
    const moved = await ask("GET", "/moved");
    assert.equal(valueOf(moved.headers, "location"), "https://elsewhere.example/");
    await text(moved);
    await until(() => nginx.calls().length === 7);
    assert.equal(connectionsOf(nginx), 1);
  },
);

testWith(nginxNeed, "nginx: a compressed answer in chunks is passed on as it is", async () => {
  await using nginx = await Nginx.start("gzip on; gzip_types application/json; gzip_min_length 1;");
  const document = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id })));
  nginx.write("all.json", document);
  using group = new TestGroup([nginx.server]);
  const { headers, body } = await group.send(request({
    target: "/all.json",
    headers: [["host", "h.example"], ["accept-encoding", "gzip"]],
  })).answer;
  assert.equal(valueOf(headers, "content-encoding"), "gzip");
  assert.equal(valueOf(headers, "content-length"), undefined);
  assert.ok(body instanceof ReadableStream);
  const inflated = body.pipeThrough(new DecompressionStream("gzip"));
  assert.equal(await new Response(inflated).text(), document);
  assert.equal(group.idleConnections, 1);
});

for (const how of ["of known length", "in chunks"]) {
  testWith(nginxNeed, `nginx: large bodies ${how} go both ways byte for byte`, async () => {
    await using nginx = await Nginx.start("client_max_body_size 0; dav_methods PUT;");
    const content = noise(20 * MEGABYTE);
    using group = new TestGroup([nginx.server]);
    const upload = group.send(request({
      method: "PUT",
      target: "/upload",
      body: pieces(content),
      bodyLength: how === "in chunks" ? null : content.length,
    }));
    assert.equal((await upload.answer).status, 201);
    assert.equal(upload.requestBytes, content.length);
    assert.ok(Buffer.from(nginx.read("upload")).equals(content));

    const download = group.get("/upload");
    const { body } = await download.answer;
    assert.ok(body instanceof ReadableStream);
    assert.ok(Buffer.from(await new Response(body).arrayBuffer()).equals(content));
    assert.equal(download.responseBytes, content.length);
  });
}

testWith(
  nginxNeed,
  "nginx: an upload that it refuses early is answered 413, without all of the body",
  async () => {
    await using nginx = await Nginx.start("client_max_body_size 1k; dav_methods PUT;");
    using group = new TestGroup([nginx.server]);
    for (const bodyLength of [1_000_000_000, null]) {
      let isCancelled = false;
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        cancel: () => void (isCancelled = true),
      });
      const call = group.send(request({ method: "PUT", target: "/upload", body, bodyLength }));
      const answer = await call.answer;
      assert.equal(answer.status, 413);
      assert.match(await text(answer), /413 Request Entity Too Large/);
      await until(() => isCancelled);
      assert.ok(call.requestBytes < 1_000_000_000);
    }
  },
);

testWith(nginxNeed, "nginx: connections that it closes after some calls cost no call", async () => {
  await using nginx = await Nginx.start(`keepalive_requests 3; location / { return 200 "ok"; }`);
  using group = new TestGroup([nginx.server]);
  for (let i = 0; i < 20; i++) assert.equal(await text(await group.get().answer), "ok");
  await until(() => nginx.calls().length === 20);
  assert.equal(connectionsOf(nginx), 7);
});

testWith(
  nginxNeed,
  "nginx: connections that it closes while they are idle are let go, and cost no call",
  async () => {
    await using nginx = await Nginx.start(`
    keepalive_timeout 1s;
    location / { return 200 "ok"; }
  `);
    using group = new TestGroup([nginx.server]);
    for (let i = 0; i < 2; i++) {
      assert.equal(await text(await group.get().answer), "ok");
      await until(() => group.idleConnections === 0);
    }
    assert.equal(await text(await group.get().answer), "ok");
    await until(() => nginx.calls().length === 3);
    assert.equal(connectionsOf(nginx), 3);
  },
);

testWith(
  nginxNeed,
  "nginx: a restart cuts off the answer on its way, refuses while it is down, and is over then",
  async () => {
    await using nginx = await Nginx.start("limit_rate 100k;");
    nginx.write("large", noise(MEGABYTE));
    nginx.write("page.txt", "hello");
    using group = new TestGroup([nginx.server]);
    await text(await group.get("/page.txt").answer);
    const { body } = await group.get("/large").answer;
    await nginx.stop();
    assert.ok(body instanceof ReadableStream);
    await assert.rejects(new Response(body).arrayBuffer(), { kind: "invalid_response" });
    await assert.rejects(group.get("/page.txt").answer, { kind: "unreachable" });
    await nginx.startAgain();
    assert.equal(await text(await group.get("/page.txt").answer), "hello");
  },
);

testWith(nginxNeed, "nginx: over TLS bodies go both ways on one connection", async () => {
  const authority = new Authority("Authority");
  const certificate = authority.certify(["api.example"]);
  await using nginx = await Nginx.start("client_max_body_size 0; dav_methods PUT;", certificate);
  for (const verify of [true, false]) {
    using group = new TestGroup([nginx.server], {
      tls: { ...trusting(authority.cert), verify, serverName: "api.example" },
    });
    const content = noise(5 * MEGABYTE);
    const { status } = await group.send(request({
      method: "PUT",
      target: `/verified-${verify}`,
      body: pieces(content),
      bodyLength: null,
    })).answer;
    assert.equal(status, 201);
    const { body } = await group.get(`/verified-${verify}`).answer;
    assert.ok(body instanceof ReadableStream);
    assert.ok(Buffer.from(await new Response(body).arrayBuffer()).equals(content));
    await until(() => group.idleConnections === 1);
  }
  await until(() => nginx.calls().length === 4);
  assert.equal(connectionsOf(nginx), 2);
});
