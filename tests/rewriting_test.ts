/**
 * What a backend gets of a call: through a running Portico, byte by byte, from an
 * upstream that tells what it received.
 */
import assert from "node:assert/strict";
import { type AdminClient, setUp } from "./harness/admin.ts";
import { startPortico, unlimited } from "./harness/portico.ts";
import { exchangeBytes } from "./harness/raw.ts";
import { type Received, startUpstream, type Upstream } from "./harness/upstream.ts";

/** Settings and more of the backends that the steps below call, by their prefixes. */
const backends: Record<string, Record<string, unknown>> = {
  "/plain/": {},
  "/pass-header/": { settings: { pass_api_key_header: true } },
  "/pass-query/": { settings: { pass_api_key_query_param: true } },
  "/append/": {
    settings: { append_query_string: "test=value&fixed" },
    sub_settings: [{
      http_method: "any",
      regex: "^/sub",
      settings: { append_query_string: "sub=1" },
    }],
  },
  "/headers/": {
    settings: {
      headers: [
        { key: "X-Fixed", value: "fixed" },
        { key: "X-Replaced", value: "ours" },
        { key: "X-Copied", value: "({{{headers.x-in}}})" },
        { key: "X-Escaped", value: "{{headers.x-in}}" },
        { key: "X-Who", value: "{{headers.x-api-user-id}}" },
        { key: "X-Key", value: "{{headers.x-api-key}}" },
        {
          key: "X-Section",
          value: "{{#headers.x-in}}in{{/headers.x-in}}{{^headers.x-in}}out{{/headers.x-in}}",
        },
        { key: "X-Gone", value: "" },
      ],
    },
    sub_settings: [{
      http_method: "any",
      regex: "^/sub",
      settings: { headers: [{ key: "X-Sub", value: "sub" }] },
    }],
  },
  "/basic/": { settings: { http_basic_auth: "user:p\u00e4ss" } },
  "/open/": { settings: { disable_api_key: true } },
  "/regex/": {
    rewrites: [
      rewrite("regex", "any", "state=([a-z]+)", "region=US-$1"),
      rewrite("regex", "any", "region=US", "where=us"),
      rewrite("regex", "POST", "^/post", "/posted"),
      rewrite("regex", "any", "^/evil[?]to=(.*)$", "/$1"),
    ],
  },
  "/route/": {
    rewrites: [
      rewrite(
        "route",
        "any",
        "/users/:id.:ext?foo=:foo&bar=1",
        "/u/{{id}}?foo={{foo}}&ext={{ext}}",
      ),
      rewrite("route", "any", "/files/*path", "/archive/{{path}}"),
      rewrite("route", "GET", "/old/:id", "/old?id={{id}}"),
    ],
  },
  "/from/here/": { url_matches: [{ frontend_prefix: "/from/here/", backend_prefix: "/to/" }] },
  "/kept/": { url_matches: [{ frontend_prefix: "/kept/" }] },
  "/named/": { backend_host: "inner.example:8081" },
  "/wild/": { frontend_host: "*.example.com", backend_host: "*.inner.example" },
};

function rewrite(type: string, http_method: string, matcher: string, replacement: string) {
  return {
    matcher_type: type,
    http_method,
    frontend_matcher: matcher,
    backend_replacement: replacement,
  };
}

interface Setting {
  readonly admin: AdminClient;
  readonly key: string;
  readonly userId: string;
  /** What the upstream got of a call; the key is sent unless `headers` says how else. */
  call(target: string, headers?: Record<string, string>, method?: string): Promise<Received>;
  /** The status of a call that the upstream is not to see. */
  refused(target: string): Promise<number>;
}

async function withSetting(
  upstream: Upstream,
  port: number,
  admin: AdminClient,
): Promise<Setting> {
  for (const [prefix, more] of Object.entries(backends)) {
    await admin.addBackend(upstream.port, prefix, more);
  }
  await admin.publish("/open/");
  const { id, key } = await admin.addUser({ roles: ["read", "write"] });
  const send = (target: string, headers: Record<string, string>, method = "GET") => {
    const fields = { Host: "a.example", Connection: "close", ...headers };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
    return exchangeBytes(
      port,
      `${[`${method} ${target} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`,
    );
  };
  return {
    admin,
    key,
    userId: id,
    call: async (target, headers = {}, method) => {
      const before = upstream.received.length;
      const carriesKey = target.includes(key) ||
        Object.keys(headers).some((name) => /^(x-api-key|authorization)$/i.test(name));
      const answer = await send(
        target,
        { ...(carriesKey ? {} : { "X-Api-Key": key }), ...headers },
        method,
      );
      assert.equal(answer.status, 200, answer.body);
      assert.equal(upstream.received.length, before + 1);
      return upstream.last;
    },
    refused: async (target) => {
      const before = upstream.received.length;
      const { status } = await send(target, { "X-Api-Key": key });
      assert.equal(upstream.received.length, before);
      return status;
    },
  };
}

const basic = (credentials: string) => `Basic ${btoa(credentials)}`;

Deno.test("requests are rewritten on their way to the backend", async (t) => {
  await using upstream = await startUpstream();
  await using portico = await startPortico({ config: unlimited });
  const admin = await setUp(portico);
  const { call, refused, key, userId } = await withSetting(upstream, portico.port, admin);
  const target = async (...args: Parameters<typeof call>) => (await call(...args)).target;

  await t.step("the key is taken out of header, query and Basic, and nothing else is", async () => {
    const byHeader = await call("/plain/x?api_key_foo=1&foo_api_key=api_key", { "X-Api-Key": key });
    assert.equal(byHeader.target, "/x?api_key_foo=1&foo_api_key=api_key");
    const byQuery = await call(`/plain/x?test=value&api_key=${key}&foo=bar`);
    assert.equal(byQuery.target, "/x?test=value&foo=bar");
    assert.equal(await target(`/plain/x?api_key&foo`), "/x?foo");
    const byBasic = await call("/plain/x", { Authorization: basic(`${key}:`) });
    assert.equal(byBasic.headers.authorization, undefined);
    for (const { rawHeaders } of [byHeader, byQuery, byBasic]) {
      assert.ok(!rawHeaders.join("\n").includes(key));
    }
  });

  await t.step("a caller's own Basic credentials go on when the key came another way", async () => {
    const Authorization = basic("their:own");
    const { headers } = await call("/plain/x", { "X-Api-Key": key, Authorization });
    assert.equal(headers.authorization, Authorization);
  });

  await t.step("a backend that asks for it gets the key, in a header or the query", async () => {
    const inHeader = await call(`/pass-header/x?api_key=${key}&a=1`);
    assert.equal(inHeader.headers["x-api-key"], key);
    assert.equal(inHeader.target, "/x?a=1");
    const fromBasic = await call("/pass-header/x", { Authorization: basic(`${key}:`) });
    assert.equal(fromBasic.headers["x-api-key"], key);
    assert.equal(fromBasic.headers.authorization, undefined);
    const inQuery = await call("/pass-query/x?api_key=wrong&a=1", { "X-Api-Key": key });
    assert.equal(inQuery.target, `/x?a=1&api_key=${key}`);
    assert.equal(inQuery.headers["x-api-key"], undefined);
  });

  await t.step("who calls is said by the gateway alone, in every spelling", async () => {
    const forged = {
      "X-Api-User-Id": "forged",
      X_Api_User_Id: "forged",
      "x.api.user.id": "forged",
      "X~Api|Roles": "forged",
      "X-Api-Roles": "forged",
      "X-Api-Umbrella-Real-Ip": "forged",
      Connection: "close, x-api-user-id, x-api-roles, host",
    };
    const known = await call("/plain/x", forged);
    assert.equal(known.headers["x-api-user-id"], userId);
    assert.equal(known.headers["x-api-roles"], "read,write");
    assert.equal(known.headers.host, "a.example");
    assert.ok(!known.rawHeaders.includes("forged"));
    const before = upstream.received.length;
    await exchangeBytes(
      portico.port,
      "POST /open/x HTTP/1.1\r\nHost: a.example\r\nConnection: close\r\nX-Api-User-Id: forged\r\n" +
        "Transfer-Encoding: chunked\r\nTrailer: X-Api-User-Id\r\n\r\n" +
        "2\r\nhi\r\n0\r\nX-Api-User-Id: forged\r\n\r\n",
    );
    assert.equal(upstream.received.length, before + 1);
    const { rawHeaders, headers, body } = upstream.last;
    assert.equal(body, "hi");
    assert.equal(headers["x-api-user-id"], undefined);
    assert.ok(!rawHeaders.includes("forged"));
  });

  await t.step("a query is appended in place of arguments of the same names", async () => {
    assert.equal(await target("/append/x"), "/x?test=value&fixed");
    assert.equal(
      await target("/append/x?a=%20&test=1&%74est=2&fixed=&b"),
      "/x?a=%20&b&test=value&fixed",
    );
    assert.equal(await target("/append/sub?test=1"), "/sub?test=1&sub=1");
  });

  await t.step("headers are set, replaced, removed, and made from templates", async () => {
    const { headers } = await call("/headers/x", {
      "x-replaced": "theirs",
      "X-In": '<a href="/b">',
      "X-Gone": "theirs",
    });
    assert.equal(headers["x-fixed"], "fixed");
    assert.equal(headers["x-replaced"], "ours");
    assert.equal(headers["x-copied"], '(<a href="/b">)');
    assert.equal(headers["x-escaped"], "&lt;a href=&quot;&#x2F;b&quot;&gt;");
    assert.equal(headers["x-who"], userId);
    assert.equal(headers["x-key"], undefined);
    assert.equal(headers["x-section"], "in");
    assert.equal(headers["x-gone"], undefined);
    const without = (await call("/headers/x", { "X-Escaped": "theirs" })).headers;
    assert.equal(without["x-copied"], "()");
    assert.equal(without["x-section"], "out");
    assert.equal(without["x-escaped"], undefined);
    const sub = (await call("/headers/sub")).headers;
    assert.deepEqual([sub["x-sub"], sub["x-fixed"]], ["sub", undefined]);
  });

  await t.step("credentials for the backend replace the caller's", async () => {
    const { headers } = await call("/basic/x", { Authorization: basic(`${key}:`) });
    assert.equal(headers.authorization, "Basic dXNlcjpww6Rzcw==");
  });

  await t.step("cookies of statistics and of the gateway are taken out", async () => {
    const Cookie = "__utma=1;a=1;  _GA=2; portico_session=secret; b=x=y; is_returning=1; _ga_b=3";
    assert.equal((await call("/plain/x", { Cookie })).headers.cookie, "a=1; b=x=y; _ga_b=3");
    assert.equal((await call("/plain/x", { Cookie: "_ga=1" })).headers.cookie, undefined);
  });

  await t.step("Accept-Encoding becomes gzip or disappears", async () => {
    const encoding = async (value: string) =>
      (await call("/plain/x", { "Accept-Encoding": value })).headers["accept-encoding"];
    for (const value of ["gzip", "br, gzip;q=0.5, deflate", "GZIP"]) {
      assert.equal(await encoding(value), "gzip", value);
    }
    for (const value of ["gzip;q=0", "gzipp", "br", "identity"]) {
      assert.equal(await encoding(value), undefined, value);
    }
  });

  await t.step("a Via goes on as it came, what a caller says of its way does not", async () => {
    const { headers } = await call("/plain/x", {
      Via: "1.1 proxy.example",
      "X-Forwarded-For": "10.1.1.1",
      "X-Forwarded-Host": "forged.example",
      "X-Forwarded-Proto": "https",
    });
    assert.equal(headers.via, "1.1 proxy.example");
    assert.equal(headers["x-forwarded-for"], "127.0.0.1");
    assert.equal(headers["x-forwarded-host"], "a.example");
    assert.equal(headers["x-forwarded-proto"], "http");
  });

  await t.step(
    "the frontend prefix is replaced by the backend's, or kept without one",
    async () => {
      assert.equal(await target("/from/here/a//b?x=/from/here/"), "/to/a//b?x=/from/here/");
      assert.equal(await target("/from/here/from/here/"), "/to/from/here/");
      assert.equal(await target("/kept/a"), "/kept/a");
    },
  );

  await t.step("paths and queries go on as they came", async () => {
    for (
      const rest of [
        "a%2Fb%26c%3Fd%25%20",
        "//double///slash/",
        "%E2%82%AC?a=%E2%82%AC&b=+&&c",
        "a;b=1,2/~!$&'()*+:@",
        "\\x%5C",
        "?",
      ]
    ) {
      assert.equal(await target(`/plain/${rest}`), `/${rest}`);
    }
    assert.equal(await target("/plain/%61%7E"), "/a~");
  });

  await t.step("regular expressions rewrite path and query, one after the other", async () => {
    assert.equal(
      await target("/regex/x?a=1&State=co&b=state=ny"),
      "/x?a=1&where=us-co&b=where=us-ny",
    );
    assert.equal(await target("/regex/post/1"), "/post/1");
    assert.equal(await target("/regex/post/1", { "Content-Length": "0" }, "POST"), "/posted/1");
  });

  await t.step("routes rewrite paths and queries by their names", async () => {
    assert.equal(
      await target(`/route/users/12.json/?bar=1&foo=a%26b&foo=c&api_key=${key}`),
      "/u/12?foo=a%26b%2Cc&ext=json",
    );
    for (const rest of ["users/12.json?bar=1", "users/12.json?bar=1&foo=2&more=3", "users/12"]) {
      assert.equal(await target(`/route/${rest}`), `/${rest}`);
    }
    assert.equal(await target("/route/files/a/b%2Fc?x=1"), "/archive/a/b%2Fc");
    assert.equal(await target("/route/old/a&b"), "/old?id=a%26b");
    assert.equal(await target("/route/old/1", { "Content-Length": "0" }, "PUT"), "/old/1");
  });

  await t.step("no rewrite leads to a path that would be refused in a call", async () => {
    assert.equal(await target("/regex/evil?to=fine"), "/fine");
    assert.equal(await refused("/regex/evil?to=../admin"), 400);
    assert.equal(await refused("/regex/evil?to=%2e%2e/admin"), 400);
    assert.equal(await refused("/regex/evil?to=a%0d%0aX:1"), 400);
    assert.equal(await target("/regex/evil?to=/b.example/"), "//b.example/");
  });

  await t.step(
    "the Host is the backend's, with what a wildcard stood for, or the caller's",
    async () => {
      const host = async (path: string, Host: string) => (await call(path, { Host })).headers.host;
      assert.equal(await host("/plain/x", "Any.example:81"), "Any.example:81");
      assert.equal(await host("/named/x", "any.example"), "inner.example:8081");
      assert.equal(await host("/wild/x", "A.b.Example.com:81"), "a.b.inner.example");
    },
  );

  await t.step("what makes no sense is refused when it is saved, by name and place", async () => {
    const { errors } = await admin.expect(422, "POST", "/backends", {
      name: "Backend",
      servers: [{ host: "127.0.0.1", port: upstream.port }],
      url_matches: [{ frontend_prefix: "/bad/" }],
      settings: {
        headers: [{ key: "X-Ok", value: "ok" }, { key: "X-Bad", value: "a {{headers.x" }, {
          key: "Host",
          value: "{{headers.x-host}}",
        }, { key: "X-Api-Roles", value: "{{headers.x-roles}}" }],
        default_response_headers: [{ key: "X-Answer", value: "{{" }],
      },
      rewrites: [
        rewrite("regex", "any", "^/(a", "/b"),
        rewrite("regex", "any", "^/(a)", "/$2"),
        rewrite("route", "any", "/:a", "/{{b}}"),
      ],
    });
    assert.deepEqual(
      (errors as { field: string; message: string }[]).map(({ field, message }) =>
        `${field} ${message.split(":")[0]}`
      ),
      [
        "settings.headers[1].value has an error at character 13",
        "settings.headers[2].value must be a plain text",
        "settings.headers[3].value has an error at character 1",
        "rewrites[0].frontend_matcher has an error at character 3",
        "rewrites[1].backend_replacement has an error at character 2",
        "rewrites[2].backend_replacement has an error at character 2",
      ],
    );
  });
});
