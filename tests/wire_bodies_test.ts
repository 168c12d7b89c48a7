/**
 * Bodies and answers over the wire: every framing, early answers, and sides that
 * leave or break in the middle. One gateway serves them all.
 */
import assert from "node:assert/strict";
import { setUp } from "./harness/admin.ts";
import { ByteUpstream } from "@/gateway/upstream/testing/byte_upstream.ts";
import { startPortico, unlimited } from "./harness/portico.ts";
import {
  closingGet as get,
  exchangeBytes,
  headerValues,
  parseAnswer,
  RawConnection,
} from "./harness/raw.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

const open = { settings: { disable_api_key: true } };

Deno.test("bodies and answers over the wire", async (t) => {
  await using echo = await startUpstream();
  await using portico = await startPortico({ config: unlimited });
  const admin = await setUp(portico);
  await admin.addBackend(echo.port, "/echo/", open);
  await admin.publish("/echo/");
  const { port } = portico;

  await t.step("fixed-length and chunked bodies arrive whole", async () => {
    const fixed = await exchangeBytes(
      port,
      "POST /echo/f HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
    );
    assert.equal(JSON.parse(fixed.body).body, "hello");
    assert.equal(echo.last.headers["content-length"], "5");
    const chunked = await exchangeBytes(
      port,
      "POST /echo/c HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n" +
        "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: dropped\r\n\r\n",
    );
    assert.equal(JSON.parse(chunked.body).body, "hello world");
    assert.equal(echo.last.headers["transfer-encoding"], "chunked");
    const empty = await exchangeBytes(
      port,
      "POST /echo/e HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
    );
    assert.equal(empty.status, 200);
    assert.equal(echo.last.headers["content-length"], "0");
  });

  await t.step("Expect: 100-continue is answered before the body is sent", async () => {
    using connection = await RawConnection.open(port);
    await connection.send(
      "POST /echo/x HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n" +
        "Expect: 100-continue\r\nContent-Length: 4\r\n\r\n",
    );
    const interim = await connection.readUntil((text) => text.includes("\r\n\r\n"));
    assert.match(interim, /^HTTP\/1\.1 100 /);
    connection.clear();
    await connection.send("body");
    const answer = parseAnswer(await connection.readAll());
    assert.equal(answer.status, 200);
    assert.equal(JSON.parse(answer.body).body, "body");
    assert.equal(echo.last.headers.expect, undefined);
  });

  await t.step("HEAD, 204 and 304 have no body and keep the connection usable", async () => {
    await using upstream = await startUpstream((request, response) => {
      const status = Number(request.url?.slice(1)) || 200;
      response.writeHead(status, status === 200 ? { "content-length": "1000" } : { etag: '"x"' });
      response.end(request.method === "HEAD" || status !== 200 ? undefined : "x".repeat(1000));
    });
    await admin.addBackend(upstream.port, "/status/", open);
    await admin.publish("/status/");
    using connection = await RawConnection.open(port);
    for (
      const [method, status] of [["HEAD", 200], ["GET", 204], ["GET", 304], ["HEAD", 304]] as const
    ) {
      connection.clear();
      await connection.send(`${method} /status/${status} HTTP/1.1\r\nHost: a.example\r\n\r\n`);
      const answer = parseAnswer(await connection.readUntil((text) => text.includes("\r\n\r\n")));
      assert.equal(answer.status, status);
      assert.equal(answer.body, "");
      if (method === "HEAD" && status === 200) {
        assert.deepEqual(headerValues(answer, "content-length"), ["1000"]);
      }
    }
  });

  await t.step("a HEAD answer of unknown length is not given a length", async () => {
    await using upstream = await startUpstream((_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end();
    });
    await admin.addBackend(upstream.port, "/unknown/", open);
    await admin.publish("/unknown/");
    const answer = await exchangeBytes(
      port,
      "HEAD /unknown/ HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n",
    );
    assert.equal(answer.status, 200);
    assert.deepEqual(headerValues(answer, "content-length"), []);
    assert.equal(answer.body, "");
  });

  await t.step("a client that leaves ends the upstream's work", async () => {
    const closed = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    await using upstream = new ByteUpstream(async (peer) => {
      const head = await peer.readHead();
      if (!head.includes("/wait")) {
        await peer.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
        return;
      }
      arrived.resolve();
      await peer.readToEnd();
      closed.resolve();
    });
    await admin.addBackend(upstream.port, "/slow/", open);
    await admin.publish("/slow/");
    const connection = await RawConnection.open(port);
    await connection.send("GET /slow/wait HTTP/1.1\r\nHost: a.example\r\n\r\n");
    await arrived.promise;
    connection[Symbol.dispose]();
    await closed.promise;
    await until(
      async () => (await admin.logs("response_status=499")).length === 1,
      "the call in the log as 499",
    );
  });

  await t.step(
    "an upstream that stops mid-answer aborts the answer, never shortens it",
    async () => {
      await using upstream = new ByteUpstream(async (peer) => {
        const head = await peer.readHead();
        if (head.includes("/length")) {
          await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this");
        } else if (head.includes("/chunked")) {
          await peer.write(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nonly this\r\n",
          );
        } else if (head.includes("/head")) {
          await peer.write("HTTP/1.1 200 OK\r\nContent-Len");
        }
      });
      await admin.addBackend(upstream.port, "/cut/", open);
      await admin.expect(201, "POST", "/publish", {});
      await until(
        async () => (await exchangeBytes(port, get("/cut/head"))).status === 502,
        "an answer cut in its head to be 502",
      );
      using connection = await RawConnection.open(port);
      await connection.send("GET /cut/length HTTP/1.1\r\nHost: a.example\r\n\r\n");
      const fixed = parseAnswer(await connection.readAll());
      assert.equal(fixed.status, 200);
      assert.deepEqual(headerValues(fixed, "content-length"), ["100"]);
      assert.ok(fixed.body.length < 100, fixed.body);
      using second = await RawConnection.open(port);
      await second.send("GET /cut/chunked HTTP/1.1\r\nHost: a.example\r\n\r\n");
      const chunked = parseAnswer(await second.readAll());
      assert.equal(chunked.status, 200);
      assert.deepEqual(headerValues(chunked, "transfer-encoding"), ["chunked"]);
      assert.ok(!chunked.body.includes("0\r\n\r\n"), chunked.body);
    },
  );

  await t.step(
    "an early answer to a large upload is delivered and the connection closed",
    async () => {
      await using upstream = new ByteUpstream(async (peer) => {
        await peer.readHead();
        await peer.write(
          "HTTP/1.1 413 Payload Too Large\r\nContent-Length: 7\r\nConnection: close\r\n\r\ntoo big",
        );
      });
      await admin.addBackend(upstream.port, "/upload/", open);
      await admin.publish("/upload/");
      using connection = await RawConnection.open(port);
      await connection.send(
        "POST /upload/ HTTP/1.1\r\nHost: a.example\r\nContent-Length: 50000000\r\n\r\n",
      );
      const sending = (async () => {
        const block = new Uint8Array(64 * 1024);
        for (let sent = 0; sent < 50_000_000; sent += block.length) await connection.send(block);
      })().catch(() => "cut off");
      const answer = parseAnswer(await connection.readUntil((text) => text.endsWith("too big")));
      assert.equal(answer.status, 413);
      connection[Symbol.dispose]();
      await sending;
    },
  );

  await t.step("broken answers are 502, and no byte of them reaches another call", async () => {
    const answers = [
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
      "nonsense\r\n\r\n",
      "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
      `HTTP/1.1 200 OK\r\nX: ${"x".repeat(70_000)}\r\n\r\n`,
    ];
    await using upstream = new ByteUpstream(async (peer) => {
      const index = Number(/\/(\d+) /.exec(await peer.readHead())?.[1] ?? 0);
      await peer.write(answers[index] ?? "");
      await peer.readToEnd();
    });
    await admin.addBackend(upstream.port, "/broken/", open);
    await admin.publish("/broken/0");
    for (const index of answers.keys()) {
      const answer = await exchangeBytes(port, get(`/broken/${index}`));
      assert.equal(answer.status, 502, `${index}: ${answer.head[0]}`);
      assert.match(answer.body, /BAD_GATEWAY/);
    }
  });

  await t.step("no upstream is 503, and one of two that refuses is passed over", async () => {
    const gone = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const refusing = gone.addr.port;
    gone.close();
    await admin.addBackend(refusing, "/gone/", open);
    await admin.addBackend(echo.port, "/half/", {
      ...open,
      servers: [{ host: "127.0.0.1", port: refusing }, { host: "127.0.0.1", port: echo.port }],
    });
    await admin.publish("/gone/");
    const answer = await exchangeBytes(port, get("/gone/"));
    assert.equal(answer.status, 503);
    assert.match(answer.body, /SERVICE_UNAVAILABLE/);
    for (let call = 0; call < 10; call++) {
      const half = await exchangeBytes(
        port,
        "POST /half/ HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi",
      );
      assert.equal(half.status, 200);
      assert.equal(JSON.parse(half.body).body, "hi");
    }
  });

  await t.step("an upstream that does not answer in time is 504", async () => {
    await using upstream = new ByteUpstream(async (peer) => {
      await peer.readToEnd();
    });
    await admin.addBackend(upstream.port, "/mute/", {
      settings: { disable_api_key: true, read_timeout_seconds: 0.3 },
    });
    await admin.publish("/mute/");
    const answer = await exchangeBytes(port, get("/mute/"));
    assert.equal(answer.status, 504);
    assert.match(answer.body, /GATEWAY_TIMEOUT/);
  });
});
