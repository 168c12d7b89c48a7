/**
 * How much a request may hold, and how long it may take to come: each bound at its limit
 * and one beyond, over the wire.
 */
import assert from "node:assert/strict";
import { ByteUpstream } from "@/gateway/upstream/testing/byte_upstream.ts";
import { type AdminClient, setUp } from "./harness/admin.ts";
import { startPortico } from "./harness/portico.ts";
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

/** Waits for the calls that were refused with a code; the log lags behind the answers. */
async function refusedCalls(admin: AdminClient, code: string, count: number) {
  const query = `gatekeeper_denied_code=${code}`;
  await until(async () => (await admin.logs(query)).length === count, `${count} of ${query}`);
  return await admin.logs(query);
}

function codeOf(body: string): string {
  return JSON.parse(body).error.code;
}

Deno.test("what a request may hold", async (t) => {
  await using echo = await startUpstream();
  await using portico = await startPortico({
    config: "workers: 1\nclient: { body_max_bytes: 1000 }\n",
  });
  const admin = await setUp(portico);
  await admin.addBackend(echo.port, "/echo/", open);
  await admin.publish("/echo/");
  const { port } = portico;
  /** A request with a body that is sent as it stands. */
  const post = (framing: string, body: string) =>
    `POST /echo/ HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n${framing}\r\n\r\n${body}`;
  /** The answer to a request of which not everything may be taken: the connection may stay open. */
  const answerTo = async (request: string) => {
    using connection = await RawConnection.open(port);
    await connection.send(request);
    const text = await connection.readUntil((text) => /\r\n\r\n.*}/s.test(text));
    return parseAnswer(text);
  };

  await t.step("a URL may have 8 KiB and not one byte more", async () => {
    const target = `/echo/?${"q".repeat(8192 - "/echo/?".length)}`;
    assert.equal((await exchangeBytes(port, get(target))).status, 200);
    assert.equal(echo.last.target.length, 8192 - "/echo".length);
    const before = echo.received.length;
    for (const tooLong of [`${target}q`, `/echo/${"p".repeat(30_000)}`, `/admin/login?${target}`]) {
      const answer = await exchangeBytes(port, get(tooLong));
      assert.equal(answer.status, 414);
      assert.equal(codeOf(answer.body), "URI_TOO_LONG");
    }
    assert.equal(echo.received.length, before);
    const [call] = await refusedCalls(admin, "uri_too_long", 3);
    assert.equal(call?.response_status, 414);
  });

  await t.step("a page for people says the same", async () => {
    const answer = await exchangeBytes(
      port,
      get(`/echo/${"p".repeat(8192)}`, "Accept: text/html"),
    );
    assert.equal(answer.status, 414);
    assert.match(answer.body, /<h1>This address is too long<\/h1>/);
  });

  await t.step("one header may have 8 KiB, and all of them 32 KiB", async () => {
    const field = (name: string, bytes: number) =>
      `${name}: ${"v".repeat(bytes - name.length - 4)}`;
    // A Node server takes no more than 16 KiB.
    await using upstream = new ByteUpstream(async (peer) => {
      heads.push(await peer.readHead());
      await peer.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    });
    const heads: string[] = [];
    await admin.addBackend(upstream.port, "/heads/", open);
    await admin.publish("/heads/");
    heads.length = 0;
    const fixed = "host: a.example\r\nconnection: close\r\n".length;
    const rest = 32_768 - fixed - 3 * 8192;
    const whole = [
      field("x-a", 8192),
      field("x-b", 8192),
      field("x-c", 8192),
      field("x-d", rest),
    ];
    assert.equal((await exchangeBytes(port, get("/heads/", ...whole))).status, 204);
    assert.ok(whole.every((field) => heads[0]?.includes(`${field}\r\n`)));
    for (
      const fields of [
        [...whole.slice(0, 3), field("x-d", rest + 1)],
        [field("x-a", 8193)],
        [field("x-a", 4200), field("x-a", 4200)],
      ]
    ) {
      const answer = await exchangeBytes(port, get("/heads/", ...fields));
      assert.equal(answer.status, 431);
      assert.equal(codeOf(answer.body), "REQUEST_HEADER_FIELDS_TOO_LARGE");
    }
    const page = await exchangeBytes(port, get("/admin/login", field("x-a", 8193)));
    assert.equal(page.status, 431);
    assert.equal(heads.length, 1);
    await refusedCalls(admin, "request_header_fields_too_large", 4);
  });

  await t.step("a body may have what is allowed, announced or in chunks", async () => {
    const chunks = "Transfer-Encoding: chunked";
    for (
      const request of [
        post("Content-Length: 1000", "b".repeat(1000)),
        post(chunks, `3e8\r\n${"b".repeat(1000)}\r\n0\r\n\r\n`),
      ]
    ) {
      assert.equal((await exchangeBytes(port, request)).status, 200);
      assert.equal(echo.last.body.length, 1000);
    }
    const before = echo.received.length;
    for (
      const request of [
        post("Content-Length: 1001", "b"),
        post("Content-Length: 1001", "b".repeat(1001)),
        post(chunks, `3e9\r\n${"b".repeat(1001)}\r\n0\r\n\r\n`),
        post(chunks, `3e8\r\n${"b".repeat(1000)}\r\n1\r\nb\r\n`),
      ]
    ) {
      const answer = await answerTo(request);
      assert.equal(answer.status, 413);
      assert.equal(codeOf(answer.body), "CONTENT_TOO_LARGE");
      assert.ok(headerValues(answer, "connection").includes("close"));
    }
    assert.equal(echo.received.length, before);
    await refusedCalls(admin, "content_too_large", 4);
  });

  await t.step("a backend's own limit goes before the server's", async () => {
    const settings = { ...open.settings, body_max_bytes: 2000 };
    await admin.addBackend(echo.port, "/large/", { settings });
    await admin.publish("/large/");
    const large = (bytes: number) =>
      answerTo(
        post(`Content-Length: ${bytes}`, "b".repeat(bytes)).replace("/echo/", "/large/"),
      );
    assert.equal((await large(2000)).status, 200);
    assert.equal((await large(2001)).status, 413);
  });

  await t.step("Portico's own pages take no larger body either", async () => {
    const answer = await answerTo(
      "POST /admin/api/v1/login HTTP/1.1\r\nHost: localhost\r\n" +
        `Content-Type: application/json\r\nContent-Length: 1001\r\n\r\n${"b".repeat(1001)}`,
    );
    assert.equal(answer.status, 413);
    assert.equal(codeOf(answer.body), "CONTENT_TOO_LARGE");
  });

  await t.step("after all of it calls are served as before", async () => {
    assert.equal((await exchangeBytes(port, get("/echo/"))).status, 200);
  });
});

Deno.test("how long a client may take", async (t) => {
  await using portico = await startPortico({
    config: `workers: 1
client: { body_timeout_seconds: 0.3, body_min_bytes_per_second: 1000, send_timeout_seconds: 0.3 }
`,
  });
  const admin = await setUp(portico);
  const { port } = portico;
  const stalled = "POST /echo/ HTTP/1.1\r\nHost: a.example\r\nContent-Length: 1000\r\n\r\nbegun";

  await t.step("a body that stalls gets 408, and its backend is let go", async () => {
    const ended = Promise.withResolvers<string>();
    await using upstream = new ByteUpstream(async (peer) => {
      const head = await peer.readHead();
      if (head.startsWith("POST")) ended.resolve(await peer.readToEnd());
      else await peer.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
    });
    await admin.addBackend(upstream.port, "/echo/", open);
    await admin.publish("/echo/");
    using connection = await RawConnection.open(port);
    await connection.send(stalled);
    const answer = parseAnswer(await connection.readUntil((text) => text.endsWith("}")));
    assert.equal(answer.status, 408);
    assert.equal(codeOf(answer.body), "REQUEST_TIMEOUT");
    assert.deepEqual(headerValues(answer, "connection"), ["close"]);
    assert.equal(await ended.promise, "begun");
    const [call] = await refusedCalls(admin, "request_timeout", 1);
    assert.equal(call?.response_status, 408);
    assert.equal(call?.request_size, "begun".length);
  });

  await t.step("a body that comes byte by byte gets 408 as well", async () => {
    await using upstream = await startUpstream();
    await admin.addBackend(upstream.port, "/slow/", open);
    await admin.publish("/slow/");
    using connection = await RawConnection.open(port);
    await connection.send(stalled.replace("/echo/", "/slow/"));
    let isAnswered = false;
    const trickle = (async () => {
      while (!isAnswered) {
        await connection.send("b").catch(() => isAnswered = true);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    })();
    const answer = parseAnswer(await connection.readUntil((text) => text.endsWith("}")));
    isAnswered = true;
    await trickle;
    assert.equal(answer.status, 408);
    assert.equal(upstream.received.filter(({ method }) => method === "POST").length, 0);
  });

  await t.step("once the answer has begun, it is cut off instead", async () => {
    const ended = Promise.withResolvers<void>();
    await using upstream = new ByteUpstream(async (peer) => {
      const head = await peer.readHead();
      if (!head.startsWith("POST")) {
        return await peer.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
      }
      await peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbegun\r\n");
      await peer.readToEnd();
      ended.resolve();
    });
    await admin.addBackend(upstream.port, "/early/", open);
    await admin.publish("/early/");
    using connection = await RawConnection.open(port);
    await connection.send(stalled.replace("/echo/", "/early/"));
    const text = await connection.readUntil((text) => text.includes("begun"));
    assert.match(text, /^HTTP\/1\.1 200 /);
    await ended.promise;
    // Deno 2.9.6 does not close the connection, which is the client's own to close.
    const query = "request_path=/early/&request_method=POST";
    await until(async () => (await admin.logs(query)).length === 1, "the call in the log");
    const [call] = await admin.logs(query);
    assert.equal(call?.api_backend_response_code_details, "answer_cut_short");
  });

  await t.step("one of Portico's own pages waits no longer", async () => {
    using connection = await RawConnection.open(port);
    await connection.send(
      "POST /admin/api/v1/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{",
    );
    const answer = parseAnswer(await connection.readUntil((text) => text.endsWith("}")));
    assert.equal(answer.status, 408);
    assert.equal(codeOf(answer.body), "REQUEST_TIMEOUT");
  });

  await t.step("an answer that nobody takes is given up, and so is its backend", async () => {
    const ended = Promise.withResolvers<void>();
    const piece = new Uint8Array(65_536);
    await using upstream = new ByteUpstream(async (peer) => {
      const head = await peer.readHead();
      if (!head.includes(" /endless ")) {
        return await peer.write("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
      }
      await peer.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
      try {
        for (;;) await peer.write(piece);
      } catch {
        ended.resolve();
      }
    });
    await admin.addBackend(upstream.port, "/", { ...open, frontend_host: "endless.example" });
    await admin.expect(201, "POST", "/publish", {});
    const request = (target: string) => `GET ${target} HTTP/1.1\r\nHost: endless.example\r\n\r\n`;
    await until(async () => {
      using probe = await RawConnection.open(port);
      await probe.send(request("/probe"));
      return (await probe.readUntil((text) => text.includes("\r\n"))).includes(" 204 ");
    }, "the backend to be live");
    using connection = await RawConnection.open(port);
    await connection.send(request("/endless"));
    await ended.promise;
    await until(
      async () => (await admin.logs("request_path=/endless")).length === 1,
      "the call in the log",
    );
    const [call] = await admin.logs("request_path=/endless");
    assert.equal(call?.api_backend_response_code_details, "answer_cut_short");
  });
});
