/** WebSockets through a running Portico, with the `ws` package at both ends. */
import assert from "node:assert/strict";
import { createServer } from "node:https";
import { join } from "node:path";
import { Authority } from "@/gateway/upstream/testing/authority.ts";
import { ByteUpstream, closedPort } from "@/gateway/upstream/testing/byte_upstream.ts";
import { exchangeBytes, RawConnection } from "./harness/raw.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";
import {
  type Closed,
  openWebSocket,
  startWebSocketUpstream,
  type WebSocketEnd,
  WebSocketUpstream,
} from "./harness/websocket.ts";
import { opening, startSite, upgrade } from "./harness/websocket_site.ts";

Deno.test("messages go both ways, text as text and bytes as bytes, in their order", async (t) => {
  await using upstream = await startWebSocketUpstream();
  await using site = await startSite(upstream.port);
  const [client, server] = await site.join(upstream);
  const ways: [way: string, from: WebSocketEnd, to: WebSocketEnd][] = [
    ["to the upstream", client, server],
    ["to the client", server, client],
  ];
  for (const [way, from, to] of ways) {
    await t.step(`${way}: text, bytes and nothing`, async () => {
      for (
        const data of ["plain", "€ 😀 \ufeff", "", new Uint8Array([0, 255, 128]), new Uint8Array()]
      ) {
        from.send(data);
        const isBinary = typeof data !== "string";
        const text = isBinary ? String.fromCharCode(...data) : data;
        assert.deepEqual(await to.next(), { text, isBinary });
      }
    });
    await t.step(`${way}: a message in fragments arrives whole`, async () => {
      for (
        const [part, fin] of [["a", false], ["", false], ["b".repeat(200_000), false], [
          "c",
          true,
        ]] as const
      ) {
        from.socket.send(part, { fin });
      }
      assert.equal(await to.text(), `a${"b".repeat(200_000)}c`);
    });
    await t.step(`${way}: 10 MiB at once`, async () => {
      const large = "0123456789abcdef".repeat(655_360);
      from.send(large);
      assert.ok(await to.text() === large);
    });
  }
  await t.step("1,000 messages both ways at the same time", async () => {
    for (let i = 0; i < 1000; i++) {
      client.send(`to the upstream ${i}`);
      server.send(`to the client ${i}`);
    }
    for (let i = 0; i < 1000; i++) {
      assert.equal(await server.text(), `to the upstream ${i}`);
      assert.equal(await client.text(), `to the client ${i}`);
    }
  });
});

Deno.test("the call is checked, changed and logged like any other", async () => {
  await using upstream = await startWebSocketUpstream();
  upstream.onHeaders((headers) => headers.push("Set-Cookie: own=1", "Set-Cookie: portico_x=1"));
  await using site = await startSite(upstream.port, { settings: { required_roles: ["writer"] } });
  const cookie = "a=1; portico_session=secret; b=2";
  const origin = "https://app.example";
  const { end, headers } = await openWebSocket(`${site.url}row?x=1&api_key=${site.key}`, {
    headers: { cookie, origin },
  });
  const [server, { url, headers: seen }] = await upstream.accept();
  assert.equal(url, "/row?x=1");
  assert.equal(seen.origin, origin);
  assert.equal(seen.cookie, "a=1; b=2");
  assert.equal(seen["x-forwarded-for"], "127.0.0.1");
  assert.equal(seen["x-api-roles"], "writer");
  assert.equal(seen["sec-websocket-extensions"], undefined);
  assert.equal(seen["x-api-key"], undefined);
  assert.equal(headers["x-request-id"], seen["x-request-id"]);
  assert.equal(headers["x-ratelimit-limit"], "1000");
  assert.deepEqual(headers["set-cookie"], ["own=1"]);

  end.send("12345");
  server.send("€");
  assert.equal(await server.text(), "12345");
  assert.equal(await end.text(), "€");
  assert.deepEqual(await site.admin.logs("request_path=/ws/row"), [], "not before it ends");
  end.socket.close(1000);
  const row = await site.logged("row");
  assert.equal(row.response_status, 101);
  assert.equal(row.request_id, seen["x-request-id"]);
  assert.equal(row.request_size, 5);
  assert.equal(row.response_size, 3);
  assert.equal(row.user_email, "caller@example.org");
  assert.equal(row.api_backend_resolved_host, `127.0.0.1:${upstream.port}`);
  assert.equal(row.api_backend_response_code_details, "websocket_closed_1000");
});

Deno.test("client and upstream agree on a subprotocol", async () => {
  await using upstream = await startWebSocketUpstream({
    handleProtocols: (offered) => offered.has("v2") ? "v2" : false,
  });
  await using site = await startSite(upstream.port);
  const [client, server] = await site.join(upstream, { protocols: ["v1", "v2"] });
  assert.equal(client.socket.protocol, "v2");
  assert.equal(server.socket.protocol, "v2");
  assert.equal((await site.open({ protocols: [] })).end.socket.protocol, "");
  const answer = await opening(site, "Sec-WebSocket-Protocol: v1,v2"); // no space after the comma
  assert.match(answer, /^sec-websocket-protocol: v2\r$/m);
});

Deno.test("how one side closes, the other one learns", async (t) => {
  await using upstream = await startWebSocketUpstream();
  await using site = await startSite(upstream.port);
  const closings: [code: number | undefined, reason: string][] = [
    [1000, "done"],
    [1001, ""],
    [1008, "policy"],
    [1011, ""],
    [1012, ""],
    [3000, "a library's"],
    [4999, "an application's €"],
    [undefined, ""],
  ];
  for (const [code, reason] of closings) {
    const expected: Closed = { code: code ?? 1005, reason };
    await t.step(`with ${code ?? "no code"}, by the client`, async () => {
      const [client, server] = await site.join(upstream);
      client.send("last words");
      client.socket.close(code, reason);
      assert.equal(await server.text(), "last words");
      assert.deepEqual(await server.closed, expected);
      assert.deepEqual(await client.closed, expected);
    });
    await t.step(`with ${code ?? "no code"}, by the upstream`, async () => {
      const [client, server] = await site.join(upstream);
      server.send("last words");
      server.socket.close(code, reason);
      assert.equal(await client.text(), "last words");
      assert.deepEqual(await client.closed, expected);
      assert.deepEqual(await server.closed, expected);
    });
  }
  await t.step("a client that vanishes is gone for the upstream as well", async () => {
    const [client, server] = await site.join(upstream);
    client.socket.terminate();
    assert.equal((await server.closed).code, 1006);
  });
  await t.step("an upstream that vanishes closes the client with 1011", async () => {
    const [client, server] = await site.join(upstream);
    server.socket.terminate();
    assert.equal((await client.closed).code, 1011);
  });
  await t.step("a client that speaks no WebSocket is gone for the upstream", async () => {
    using connection = await RawConnection.open(site.portico.port);
    await connection.send(upgrade(site.key));
    await connection.readUntil((text) => text.includes("\r\n\r\n"));
    const [server] = await upstream.accept();
    await connection.send(new Uint8Array([0xff, 0x80, 0, 0, 0, 0]));
    assert.equal((await server.closed).code, 1006);
  });
  await t.step("and the log says it", async () => {
    const rows = await site.admin.logs("request_path=/ws/raw");
    assert.equal(rows[0]?.api_backend_response_code_details, "websocket_client_lost");
  });
});

Deno.test("each side's pings are answered", async () => {
  await using upstream = await startWebSocketUpstream();
  await using site = await startSite(upstream.port);
  const [client, server] = await site.join(upstream);
  client.socket.ping("from the client");
  server.socket.ping("from the upstream");
  await until(() => client.pongs.length + server.pongs.length === 2, "both pongs");
  assert.deepEqual(client.pongs, ["from the client"]);
  assert.deepEqual(server.pongs, ["from the upstream"]);
});

Deno.test("both sides may be behind TLS", async () => {
  const authority = new Authority("Authority");
  const server = createServer(authority.certify(["inner.example"]));
  await using upstream = new WebSocketUpstream({ server });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const backend = {
      backend_protocol: "https",
      backend_tls: { ca: authority.cert, server_name: "inner.example" },
    };
    await using site = await startSite(upstream.port, backend, "https_port: 0\nworkers: 1\n");
    const refused = await site.notOpened();
    assert.equal(refused.status, 400);
    assert.equal(JSON.parse(refused.body).error.code, "HTTPS_REQUIRED");
    const ca = await Deno.readTextFile(join(site.portico.dataFolder, "self_signed.pem"));
    const [{ end }, [inner, request]] = await Promise.all([
      openWebSocket(`${site.portico.url("https")}/ws/tls`, {
        ca: ca.slice(0, ca.indexOf("-----BEGIN PRIVATE KEY-----")),
        headers: { "x-api-key": site.key },
      }),
      upstream.accept(),
    ]);
    assert.equal(request.headers["x-forwarded-proto"], "https");
    const large = "x".repeat(1_000_000);
    end.send(large);
    assert.ok(await inner.text() === large);
    inner.send(large);
    assert.ok(await end.text() === large);
    inner.socket.close(4000, "over TLS");
    assert.deepEqual(await end.closed, { code: 4000, reason: "over TLS" });
  } finally {
    server.close();
  }
});

Deno.test("what is refused, by Portico or the upstream, is an answer and no WebSocket", async (t) => {
  await using upstream = await startUpstream((request, response) => {
    const status = Number(request.url?.slice(1));
    response.writeHead(status, { "x-mine": "1", location: "/elsewhere" }).end("no WebSocket here");
  });
  await using site = await startSite(upstream.port);

  await t.step("without a key", async () => {
    const { status, headers, body } = await site.notOpened({ headers: { "x-api-key": "" } });
    assert.equal(status, 403);
    assert.equal(JSON.parse(body).error.code, "API_KEY_MISSING");
    assert.ok(headers["x-request-id"]);
    assert.equal(upstream.received.length, 0);
  });
  for (const status of [200, 302, 401, 404, 426, 500]) {
    await t.step(`the upstream says ${status}`, async () => {
      const answer = await site.notOpened({}, String(status));
      assert.equal(answer.status, status);
      assert.equal(answer.headers["x-mine"], "1");
      assert.equal(answer.headers.location, "/ws/elsewhere");
      assert.equal(answer.body, "no WebSocket here");
      assert.equal((await site.logged(String(status))).response_status, status);
    });
  }
  await t.step("an upgrade to anything else is a call like any other", async () => {
    const answer = await exchangeBytes(
      site.portico.port,
      upgrade(site.key, "Connection: close").replace("/raw", "/200").replace(
        "Version: 13",
        "Version: 8",
      ),
    );
    assert.equal(answer.status, 200);
    assert.equal(upstream.last.headers.upgrade, undefined);
  });
});

Deno.test("an upstream that cannot be reached is 503, and one that agrees wrongly 502", async (t) => {
  await t.step("not reached", async () => {
    await using site = await startSite(closedPort());
    assert.equal((await site.notOpened()).status, 503);
    const row = await site.logged("chat");
    assert.equal(row.api_backend_response_code_details, "upstream_unreachable");
  });
  await t.step("a wrong Sec-WebSocket-Accept", async () => {
    await using upstream = new ByteUpstream(async (peer) => {
      const head = await peer.readHead();
      if (head.includes("upgrade")) {
        await peer.write(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
            "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n",
        );
      }
      await peer.readToEnd();
    });
    await using site = await startSite(upstream.port);
    assert.equal((await site.notOpened()).status, 502);
    const row = await site.logged("chat");
    assert.equal(row.response_status, 502);
    assert.equal(row.api_backend_response_code_details, "upstream_invalid_response");
  });
});
