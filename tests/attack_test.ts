/**
 * What somebody sends who means harm: one request that two servers could read as two,
 * answers that poison the next call, forged origins, keys that leak, input that breaks.
 * One gateway takes it all, and serves the last call as it did the first.
 */
import assert from "node:assert/strict";
import { ByteUpstream } from "@/gateway/upstream/testing/byte_upstream.ts";
import { setUp } from "./harness/admin.ts";
import { startPortico, unlimited } from "./harness/portico.ts";
import { exchangeBytes, RawConnection } from "./harness/raw.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";

const open = { settings: { disable_api_key: true } };
const json = { "content-type": "application/json" };

/** A request on a connection that closes after it. */
function closing(line: string, headers: readonly string[] = [], body = ""): string {
  return [`${line} HTTP/1.1`, "Host: a.example", "Connection: close", ...headers, "", body]
    .join("\r\n");
}

/** The status codes of all answers in what a connection brought. */
function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** Answers of an upstream that a strict client does not take, or takes without their surplus. */
const hostileAnswers: Readonly<Record<string, readonly [answer: string, status: number]>> = {
  "status 000": ["HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n", 502],
  "status 600": ["HTTP/1.1 600 X\r\nContent-Length: 0\r\n\r\n", 502],
  "an upgrade": ["HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nraw", 502],
  "HTTP/0.9": ["hello\r\n\r\n", 502],
  "a bare CR": ["HTTP/1.1 200 OK\r\nX: a\rSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok", 502],
  "a bare LF": ["HTTP/1.1 200 OK\nContent-Length: 2\n\nok\r\n\r\n", 502],
  "a NUL": ["HTTP/1.1 200 OK\r\nX: a\0\r\nContent-Length: 2\r\n\r\nok", 502],
  "a folded line": ["HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\nok", 502],
  "two lengths": ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok", 502],
  "length and chunks": [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    502,
  ],
  "a head without end": [`HTTP/1.1 200 OK\r\nX: ${"a".repeat(70_000)}\r\n\r\n`, 502],
  "a second answer": [
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison",
    200,
  ],
  "a 204 with a body": ["HTTP/1.1 204 X\r\nContent-Length: 5\r\n\r\nhello", 204],
  "a 304 with a body": ["HTTP/1.1 304 X\r\nContent-Length: 5\r\n\r\nhello", 304],
};

Deno.test("a new server cannot be taken over from afar", async () => {
  await using portico = await startPortico();
  const body = JSON.stringify({ username: "evil@example.org", password: "x".repeat(20) });
  for (
    const header of [
      "X-Forwarded-For: 127.0.0.1",
      "X-Forwarded-Proto: https",
      "Forwarded: for=127.0.0.1",
      "Origin: http://evil.example",
      "Origin: null",
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Site: same-site",
      "Host: evil.example",
    ]
  ) {
    const host = header.startsWith("Host:") ? [] : ["Host: localhost"];
    const answer = await exchangeBytes(
      portico.port,
      [
        "POST /admin/api/v1/setup HTTP/1.1",
        ...host,
        header,
        `Content-Length: ${body.length}`,
        "Connection: close",
        "",
        body,
      ].join("\r\n"),
    );
    assert.equal(answer.status, 403, header);
  }
});

Deno.test("a gateway under attack", async (t) => {
  await using echo = await startUpstream();
  await using hostile = new ByteUpstream(async (peer) => {
    const target = (await peer.readHead()).split(" ")[1] ?? "";
    await peer.write(hostileAnswers[decodeURIComponent(target.slice(1))]?.[0] ?? "");
    await peer.readToEnd();
  });
  await using portico = await startPortico({
    config: `site_name: "</title><script>alert(1)</script>"\n${unlimited}`,
  });
  const admin = await setUp(portico);
  await admin.addBackend(echo.port, "/open/", open);
  await admin.addBackend(echo.port, "/keyed/");
  await admin.addBackend(hostile.port, "/hostile/", open);
  await admin.addBackend(1, "/dead/", open);
  await admin.publish("/open/");
  const { key } = await admin.addUser();
  const { port } = portico;

  await t.step("a request that two servers could frame differently goes nowhere", async () => {
    const before = echo.received.length;
    for (
      const [line, headers, body] of [
        ["GET /open/", ["Content-Length: 5"], "hello"],
        ["HEAD /open/", ["Transfer-Encoding: chunked"], "5\r\nhello\r\n0\r\n\r\n"],
        ["POST /open/", ["Content-Length: 5", "Content-Length: 5"], "hello"],
        ["POST /open/", ["Content-Length: 5, 5"], "hello"],
        ["POST /open/", ["Content-Length: 9223372036854775807"], "hello"],
        ["POST /open/", ["Content-Length: 3", "Transfer-Encoding: chunked"], "0\r\n\r\n"],
        ["POST /open/", ["Transfer-Encoding: gzip, chunked"], "0\r\n\r\n"],
        ["POST /open/", ["Transfer-Encoding: identity"], ""],
      ] as const
    ) {
      // Of what was announced some may never come, so the connection may stay open.
      using connection = await RawConnection.open(port);
      await connection.send(closing(line, headers, body));
      const text = await connection.readUntil((text) => text.includes("\r\n\r\n"));
      assert.deepEqual(statuses(text), [400], `${line} ${headers}`);
    }
    assert.equal(echo.received.length, before);
  });

  await t.step("nothing is announced to the upstream for a request without a body", async () => {
    for (const method of ["GET", "DELETE", "OPTIONS", "POST", "PROPFIND"]) {
      assert.equal((await exchangeBytes(port, closing(`${method} /open/x`))).status, 200, method);
      assert.equal(echo.last.headers["transfer-encoding"], undefined, method);
      assert.equal(echo.last.headers["content-length"], undefined, method);
    }
  });

  await t.step("the body of a refused request is never taken for a request", async () => {
    const before = echo.received.length;
    const inner = "GET /open/inner HTTP/1.1\r\nHost: a.example\r\n\r\n";
    using connection = await RawConnection.open(port);
    await connection.send(
      `POST /keyed/ HTTP/1.1\r\nHost: a.example\r\nContent-Length: ${inner.length}\r\n\r\n${inner}` +
        closing("GET /open/after"),
    );
    assert.deepEqual(statuses(await connection.readAll()), [403, 200]);
    assert.deepEqual(echo.received.slice(before).map(({ target }) => target), ["/after"]);
  });

  await t.step("another scheme, a missing Host and disguised dot segments get 400", async () => {
    for (const scheme of ["https", "ftp", "ws"]) {
      const line = `GET ${scheme}://a.example/open/`;
      assert.equal((await exchangeBytes(port, closing(line))).status, 400, scheme);
    }
    const hostless = "GET https://a.example/open/ HTTP/1.1\r\nConnection: close\r\n\r\n";
    assert.equal((await exchangeBytes(port, hostless)).status, 400);
    for (const path of ["/open/..;/x", "/open/%2e%2e;a/x", "/open/..%3b/x"]) {
      assert.equal((await exchangeBytes(port, closing(`GET ${path}`))).status, 400, path);
    }
    for (const method of ["trace", "connect", "TRACK"]) {
      assert.equal((await exchangeBytes(port, closing(`${method} /open/`))).status, 405, method);
    }
  });

  await t.step("no header speaks for the gateway or names another path", async () => {
    const forged = [
      "X~Api~User~Id",
      "X|Api.Roles",
      "X-Forwarded-User",
      "X_Forwarded_Ssl",
      "X-Original-URL",
      "X-Rewrite-URL",
    ];
    const request = closing("GET /open/", forged.map((name) => `${name}: forged`));
    assert.equal((await exchangeBytes(port, request)).status, 200);
    assert.ok(!echo.last.rawHeaders.includes("forged"), echo.last.rawHeaders.join(" "));
  });

  await t.step("an answer that is broken or too long does not touch the next call", async () => {
    for (const method of ["GET", "HEAD"]) {
      for (const [name, [, status]] of Object.entries(hostileAnswers)) {
        using connection = await RawConnection.open(port);
        await connection.send(
          `${method} /hostile/${encodeURIComponent(name)} HTTP/1.1\r\nHost: a.example\r\n\r\n` +
            closing("GET /open/next"),
        );
        const text = await connection.readAll();
        assert.deepEqual(statuses(text), [status, 200], `${method}, ${name}: ${text}`);
        assert.ok(!text.includes("poison"), name);
        assert.match(text, /"target":"\/next"/);
      }
    }
  });

  await t.step("a key is in no answer, log, export, file or call to the upstream", async () => {
    const basic = `Basic ${btoa(`${key}:`)}`;
    const carried = [`X-Api-Key: ${key}`, `Authorization: ${basic}`, `Authorization: ${basic}`];
    const kept = [`Referer: http://a.example/?api_key=${key}`, `User-Agent: of ${key}`];
    const before = echo.received.length;
    const good = await exchangeBytes(
      port,
      closing(`GET /keyed/?a&api%5fkey=${key}&api_key=${key}`, [...carried, kept[0] ?? ""]),
    );
    assert.equal(good.status, 200, good.body);
    const sent = JSON.stringify(echo.received.slice(before));
    assert.ok(!sent.includes(key) && !sent.includes(btoa(`${key}:`)), sent);

    for (const accept of ["application/json", "application/xml", "text/csv", "text/html"]) {
      const headers = [`Accept: ${accept}`, ...kept];
      for (
        const target of [
          `/nowhere?api_key=${key}`,
          `/nowhere/${key}`,
          `/keyed/?x=${key}`,
          `/dead/?api_key=${key}`,
          `/open/../?api_key=${key}`,
          `http://${key}@a.example/open/`,
        ]
      ) {
        const answer = await exchangeBytes(port, closing(`GET ${target}`, headers));
        assert.ok(answer.status >= 400, target);
        assert.ok(!answer.head.join().includes(key) && !answer.body.includes(key), answer.body);
      }
    }
    const named = closing("GET /open/").replace("a.example", `${key}.example`);
    assert.equal((await exchangeBytes(port, named)).status, 200);
    await until(
      async () => (await admin.logs("request_host=ptk_[removed].example")).length === 1,
      "the last call in the log",
    );
    const sinks: Record<string, string> = {
      log: JSON.stringify(await admin.logs("limit=1000")),
      CSV: await (await admin.call("GET", "/logs.csv")).text(),
      "standard output": portico.output,
    };
    for await (const { name } of Deno.readDir(portico.dataFolder)) {
      const bytes = await Deno.readFile(`${portico.dataFolder}/${name}`);
      sinks[name] = new TextDecoder("latin1").decode(bytes);
    }
    for (const [name, text] of Object.entries(sinks)) {
      for (const form of [key, key.slice(4), key.slice(4).toLowerCase(), btoa(`${key}:`)]) {
        assert.ok(!text.includes(form), name);
      }
    }
  });

  await t.step("what a caller sends is no formula in the CSV and no markup on a page", async () => {
    for (const agent of ["=1+1", "@x", "-1", "+1"]) {
      await exchangeBytes(port, closing("GET /open/formula", [`User-Agent: ${agent}`]));
    }
    await until(
      async () => (await admin.logs("request_path=/open/formula")).length === 4,
      "the calls in the log",
    );
    const csv = await (await admin.call("GET", "/logs.csv?request_path=/open/formula")).text();
    assert.equal(csv.match(/,'[=@+-]/g)?.length, 4, csv);
    const page = closing('GET /nowhere/"><script>alert(2)</script>.html', [
      "User-Agent: <script>",
    ]);
    for (
      const answer of [await exchangeBytes(port, page), await exchangeBytes(port, closing("GET /"))]
    ) {
      assert.match(answer.body, /<html/);
      assert.ok(!/<script>alert/.test(answer.body), answer.body);
      assert.match(answer.head.join("\n"), /content-security-policy: default-src 'none'/);
    }
  });

  await t.step(
    "a host that no URL can name is a host like others, and at most a bad one",
    async () => {
      for (const host of ["a.6", "0x7g.0x1", "a.example:99999", "[:::]", "xn--a.example"]) {
        const status = async (line: string) =>
          (await exchangeBytes(
            port,
            closing(line, ["Accept: text/html"]).replace("a.example", host),
          ))
            .status;
        assert.equal(await status("GET /open/"), 200, host);
        assert.equal(await status("GET /keyed/"), 403, host);
        for (const page of ["/", "/signup/", "/admin/login", "/admin/api/v1/openapi.json"]) {
          assert.equal(await status(`GET ${page}`), 400, `${host} ${page}`);
        }
      }
      assert.ok(!portico.output.includes('"level":"error"'), portico.output);
    },
  );

  await t.step("input made to break the checks is bad input, not an error", async () => {
    const person = '"email":"a@b.example","first_name":"A","last_name":"B"';
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    for (
      const [path, body] of [
        ["/signup/", `{${person},"terms_and_conditions":{"toString":1,"valueOf":1}}`],
        ["/signup/", `{${person},"terms_and_conditions":${deep}}`],
        ["/signup/", `{"email":${deep}}`],
        ["/signup/", `{${person},"terms_and_conditions":true,"__proto__":{"enabled":true}}`],
        ["/signup/", `{${person},"terms_and_conditions":true,"roles":["admin"]}`],
        ["/signup/", `{${person.replace('"A"', '"\\ud800"')},"terms_and_conditions":true}`],
        ["/admin/api/v1/login", `{"username":${deep},"password":"x"}`],
        ["/admin/api/v1/users", `{${person},"roles":["a\\r\\nX-Evil: 1"]}`],
        ["/admin/api/v1/users", `{${person},"roles":["a,admin"]}`],
        ["/admin/api/v1/users", `{${person},"api_key_hash":{"0":1}}`],
        [
          "/admin/api/v1/backends",
          `{"name":"x","servers":[{"host":"a","port":1}],"url_matches":[{"frontend_prefix":"/\\ud800/","backend_prefix":"/"}]}`,
        ],
      ] as const
    ) {
      const response = await fetch(portico.url() + path, {
        method: "POST",
        headers: { ...json, authorization: `Bearer ${admin.token}` },
        body,
      });
      const text = await response.text();
      assert.equal(response.status, 422, `${path} ${body.slice(0, 120)}: ${text.slice(0, 200)}`);
    }
    assert.ok(!portico.output.includes('"level":"error"'), portico.output);
  });

  await t.step(
    "only pages of this server write with a session, and only one session counts",
    async () => {
      const login = await fetch(`${portico.url()}/admin/api/v1/login`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ username: "admin@example.org", password: "correct horse battery" }),
      });
      await login.body?.cancel();
      const cookie = login.headers.get("set-cookie")?.split(";")[0] ?? "";
      const write = async (path: string, body: string, headers: Record<string, string>) => {
        const response = await fetch(portico.url() + path, { method: "POST", headers, body });
        await response.body?.cancel();
        return response.status;
      };
      const form = { "content-type": "application/x-www-form-urlencoded" };
      for (
        const from of [
          {},
          { "sec-fetch-site": "cross-site" },
          { "sec-fetch-site": "same-site" },
          { origin: "null" },
          { origin: `${portico.url()}.evil.example` },
          { origin: `http://localhost:${port}@evil.example` },
        ]
      ) {
        const headers = { cookie, ...from };
        assert.equal(
          await write("/admin/api/v1/tokens", '{"name":"x"}', { ...json, ...headers }),
          403,
        );
        assert.equal(await write("/admin/tokens", "name=x", { ...form, ...headers }), 403);
      }
      const own = { cookie, origin: portico.url() };
      assert.equal(await write("/admin/api/v1/tokens", '{"name":"x"}', { ...json, ...own }), 201);
      const two = { ...own, cookie: `${cookie}; portico_session=planted` };
      assert.equal(await write("/admin/api/v1/tokens", '{"name":"x"}', { ...json, ...two }), 401);
    },
  );

  await t.step({
    name: "a flood of connections that takes all files does not end the process",
    ignore: Deno.build.os !== "linux",
    async fn() {
      await new Deno.Command("prlimit", {
        args: ["--pid", String(portico.pid), "--nofile=120:120"],
      }).output();
      const flood: RawConnection[] = [];
      try {
        await until(async () => {
          const connection = await RawConnection.open(port).catch(() => null);
          if (connection !== null) flood.push(connection);
          return portico.output.includes("a listening socket failed");
        }, "no more files");
      } finally {
        for (const connection of flood) connection[Symbol.dispose]();
      }
      await until(
        () =>
          exchangeBytes(port, closing("GET /open/")).then(
            ({ status }) => status === 200,
            () => false,
          ),
        "calls to be served again",
      );
    },
  });
});
