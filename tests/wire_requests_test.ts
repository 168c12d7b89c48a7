/**
 * Request heads over the wire, byte for byte: odd targets, doubled and forged
 * headers, hosts that do not agree. One gateway serves them all.
 */
import assert from "node:assert/strict";
import { setUp } from "./harness/admin.ts";
import { ByteUpstream } from "@/gateway/upstream/testing/byte_upstream.ts";
import { startPortico, unlimited } from "./harness/portico.ts";
import { closingGet as get, exchangeBytes, headerValues } from "./harness/raw.ts";
import { startUpstream } from "./harness/upstream.ts";

const open = { settings: { disable_api_key: true } };

Deno.test("request heads over the wire", async (t) => {
  await using echo = await startUpstream();
  await using portico = await startPortico({ config: unlimited });
  const admin = await setUp(portico);
  await admin.addBackend(echo.port, "/echo/", open);
  await admin.addBackend(echo.port, "/guarded/");
  await admin.publish("/echo/");
  const { port } = portico;

  await t.step("targets arrive as they were sent, but for the prefix", async () => {
    for (
      const [sent, expected] of [
        ["/echo/a", "/a"],
        ["/echo//a//b/", "//a//b/"],
        ["/echo/a%2Fb%2fc", "/a%2Fb%2fc"],
        ["/echo/%61%7e", "/a~"],
        ["/echo/?", "/?"],
        ["/echo/?a=1?b=2&&c", "/?a=1?b=2&&c"],
        ["/echo/a?x=../%2e%2e/%00", "/a?x=../%2e%2e/%00"],
        ["/echo/x;y=1,z/$&'()*+!", "/x;y=1,z/$&'()*+!"],
        ["/echo/%E2%82%AC?q=%ff", "/%E2%82%AC?q=%ff"],
      ] as const
    ) {
      const answer = await exchangeBytes(port, get(sent));
      assert.equal(answer.status, 200, `${sent}: ${answer.body}`);
      assert.equal(echo.last.target, expected);
    }
  });

  await t.step("raw UTF-8 in a target is passed on byte for byte", async () => {
    const seen: string[] = [];
    await using upstream = new ByteUpstream(async (peer) => {
      seen.push((await peer.readHead()).split("\r\n")[0] ?? "");
      await peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
    await admin.addBackend(upstream.port, "/utf8/", open);
    await admin.publish("/utf8/");
    seen.length = 0;
    assert.equal((await exchangeBytes(port, get("/utf8/é?ü=€"))).status, 200);
    const bytes = Uint8Array.from(seen[0] ?? "", (character) => character.charCodeAt(0));
    assert.equal(new TextDecoder().decode(bytes), "GET /é?ü=€ HTTP/1.1");
  });

  await t.step(
    "dot segments, control characters and bad hosts get 400 and go nowhere",
    async () => {
      const before = echo.received.length;
      for (
        const target of [
          "/echo/../admin",
          "/echo/%2e%2e/x",
          "/echo/.%2E",
          "/echo/a/./b",
          "/echo/..%2fx",
          "/echo/..%5cx",
          "/echo/..\\x",
          "/echo/a%00b",
          "/echo/a%0d%0ab",
          "/echo/a#b",
          "http://other.example/echo/x",
        ]
      ) {
        const answer = await exchangeBytes(port, get(target));
        assert.equal(answer.status, 400, target);
      }
      for (
        const hosts of [
          "",
          "Host: a\r\nHost: b\r\n",
          "Host: a\r\nHost: a\r\n",
          "Host: a/b@c\r\n",
          "Host:\r\n",
          "Host: a b\r\n",
        ]
      ) {
        const answer = await exchangeBytes(
          port,
          `GET /echo/ HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`,
        );
        assert.equal(answer.status, 400, JSON.stringify(hosts));
      }
      for (const line of ["CONNECT a.example:443", "TRACE /echo/"]) {
        const answer = await exchangeBytes(
          port,
          `${line} HTTP/1.1\r\nHost: a.example${
            line.startsWith("C") ? ":443" : ""
          }\r\nConnection: close\r\n\r\n`,
        );
        assert.equal(answer.status, 405, line);
      }
      const star = "OPTIONS * HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\n\r\n";
      assert.equal((await exchangeBytes(port, star)).status, 400);
      assert.equal(echo.received.length, before);
    },
  );

  await t.step("an absolute-form target that agrees with Host is served", async () => {
    assert.equal((await exchangeBytes(port, get("http://a.example/echo/abs?x"))).status, 200);
    assert.equal(echo.last.target, "/abs?x");
  });

  await t.step("Portico's own pages win in every spelling", async () => {
    for (const target of ["/admin/login", "/%61dmin/login"]) {
      const answer = await exchangeBytes(port, get(target));
      assert.ok([200, 302, 303].includes(answer.status), `${target}: ${answer.status}`);
      assert.equal(headerValues(answer, "x-request-id").length, 1);
    }
  });

  await t.step("identity and forwarding headers cannot be forged in any spelling", async () => {
    const answer = await exchangeBytes(
      port,
      get(
        "/echo/",
        "X-Api-User-Id: forged",
        "X_Api_User_Id: forged",
        "X.Api.Roles: forged",
        "X-Api-Roles: forged",
        "X-Forwarded-For: 6.6.6.6",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Port: 1",
        "X-Forwarded-Host: evil.example",
        "X_Forwarded_For: 6.6.6.6",
        "Forwarded: for=6.6.6.6",
        "X-Real-IP: 6.6.6.6",
        "X-Request-Id: forged",
        "Connection: close, x-request-id, x-forwarded-for, x-drop-me",
        "X-Drop-Me: please",
        "Proxy-Authorization: Basic eDp5",
        "Keep-Alive: timeout=5",
        "TE: trailers",
        "X-Kept: yes",
      ),
    );
    assert.equal(answer.status, 200);
    const { headers, rawHeaders } = echo.last;
    assert.ok(
      !rawHeaders.some((text) => /forged|6\.6\.6\.6|evil/.test(text)),
      rawHeaders.join("\n"),
    );
    assert.equal(headers["x-forwarded-for"], "127.0.0.1");
    assert.equal(headers["x-forwarded-proto"], "http");
    assert.equal(headers["x-forwarded-port"], "80");
    assert.equal(headers["x-request-id"], headerValues(answer, "x-request-id")[0]);
    for (const gone of ["x-drop-me", "proxy-authorization", "keep-alive", "te"]) {
      assert.equal(headers[gone], undefined, gone);
    }
    assert.equal(headers["x-kept"], "yes");
  });

  await t.step("doubled headers reach the upstream, and doubled answers the client", async () => {
    await using upstream = await startUpstream((_request, response) => {
      response.writeHead(
        200,
        [
          ["Set-Cookie", "a=1"],
          ["Set-Cookie", "b=2"],
          ["X-Twice", "1"],
          ["X-Twice", "2"],
        ].flat(),
      );
      response.end("ok");
    });
    await admin.addBackend(upstream.port, "/twice/", open);
    await admin.publish("/twice/");
    const answer = await exchangeBytes(
      port,
      get("/twice/", "X-Twice: 1", "X-Twice: 2", "Cookie: a=1", "Cookie: b=2"),
    );
    assert.deepEqual(headerValues(answer, "set-cookie"), ["a=1", "b=2"]);
    assert.deepEqual(headerValues(answer, "x-twice"), ["1", "2"]);
    assert.equal(upstream.last.headers["x-twice"], "1, 2");
    assert.equal(upstream.last.headers.cookie, "a=1; b=2");
  });

  await t.step("two keys in one header are no key, and session cookies stay here", async () => {
    const { key } = await admin.addUser();
    const twice = await exchangeBytes(
      port,
      get("/guarded/", `X-Api-Key: ${key}`, `X-Api-Key: ${key}`),
    );
    assert.equal(twice.status, 403);
    assert.match(twice.body, /API_KEY_INVALID/);
    const answer = await exchangeBytes(
      port,
      get("/guarded/", `X-Api-Key: ${key}`, "Cookie: theirs=1; portico_session=secret; also=2"),
    );
    assert.equal(answer.status, 200);
    assert.equal(echo.last.headers.cookie, "theirs=1; also=2");
    assert.equal(echo.last.headers["x-api-key"], undefined);
    assert.ok(!echo.last.rawHeaders.join().includes(key));
  });

  await t.step("the four formats are chosen by extension, argument and Accept", async () => {
    for (
      const [target, header, type] of [
        ["/nowhere.xml", "Accept: */*", /^application\/xml/],
        ["/nowhere?format=csv", "Accept: */*", /^text\/csv/],
        ["/nowhere", "Accept: text/html", /^text\/html/],
        ["/nowhere", "Accept: image/png", /^application\/json/],
      ] as const
    ) {
      const answer = await exchangeBytes(port, get(target, header));
      assert.equal(answer.status, 404);
      assert.match(headerValues(answer, "content-type")[0] ?? "", type);
      assert.match(answer.body, /NOT_FOUND/);
    }
  });
});
