import assert from "node:assert/strict";
import type { ApiForTest } from "./testing.ts";
import { anna, withApi, withSignedIn } from "./testing.ts";

const backend = {
  name: "Weather",
  servers: [{ host: "127.0.0.1", port: 3000 }],
  url_matches: [{ frontend_prefix: "/weather/", backend_prefix: "/" }],
};

async function errorsOf(response: Response): Promise<{ code: string; field?: string }[]> {
  assert.equal(response.headers.get("content-type"), "application/json");
  const { errors } = await response.json();
  for (const { message } of errors) assert.equal(typeof message, "string");
  return errors.map(({ message: _, ...error }: { message: string }) => error);
}

async function assertRefused(response: Response, status: number, code: string, field?: string) {
  assert.deepEqual(await errorsOf(response), [{ code, ...(field && { field }) }]);
  assert.equal(response.status, status);
}

/** Signs in and gives the cookie as a browser would send it. */
async function cookieOf(api: ApiForTest): Promise<string> {
  const response = await api.call("POST", "/v1/login", { json: anna });
  assert.equal(response.status, 200);
  await response.body?.cancel();
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

Deno.test("a path that is not part of the API is 404, for everybody", () =>
  withApi(async (api) => {
    const paths = [
      "/",
      "/v1",
      "/v1/",
      "/v1/nothing",
      "/v1/backends/",
      "/v1/backends/a/b",
      "/v2/logs",
    ];
    for (const path of [...paths, "/v1/users/%ff", "/v1/users/{id}/", "/openapi"]) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        await assertRefused(await api.call(method, path), 404, "NOT_FOUND");
      }
    }
  }));

Deno.test("a method that a path does not take is 405, with those it takes", () =>
  withSignedIn(async ({ call }) => {
    const allowed = { "/v1/backends": "GET, HEAD, POST, OPTIONS", "/v1/login": "POST, OPTIONS" };
    for (const [path, allow] of Object.entries(allowed)) {
      for (const method of ["DELETE", "PATCH", "PROPFIND"]) {
        const response = await call(method, path);
        assert.equal(response.headers.get("allow"), allow);
        await assertRefused(response, 405, "METHOD_NOT_ALLOWED");
      }
    }
    await assertRefused(await call("GET", "/v1/login"), 405, "METHOD_NOT_ALLOWED");
    await assertRefused(await call("POST", "/v1/backends/x"), 405, "METHOD_NOT_ALLOWED");
  }));

Deno.test("OPTIONS says what a path takes, and gives other sites no leave", () =>
  withApi(async ({ call }) => {
    const response = await call("OPTIONS", "/v1/users/x", {
      headers: { origin: "https://evil.example", "access-control-request-method": "PUT" },
    });
    assert.equal(response.status, 204);
    assert.equal(response.headers.get("allow"), "GET, HEAD, PUT, DELETE, OPTIONS");
    assert.equal(response.headers.get("access-control-allow-origin"), null);
  }));

Deno.test("HEAD is GET without the body", () =>
  withSignedIn(async ({ call }) => {
    for (const path of ["/v1/backends", "/v1/logs.csv", "/openapi.json"]) {
      const [head, get] = [await call("HEAD", path), await call("GET", path)];
      assert.equal(head.status, 200);
      assert.equal(head.headers.get("content-type"), get.headers.get("content-type"));
      assert.equal(await head.text(), "");
      assert.notEqual(await get.text(), "");
    }
    const missing = await call("HEAD", "/v1/users/x");
    assert.equal(missing.status, 404);
    assert.equal(await missing.text(), "");
  }));

Deno.test("no answer is kept by a cache or taken for another type", () =>
  withSignedIn(async ({ call }) => {
    const answers = [
      await call("GET", "/v1/backends"),
      await call("POST", "/v1/backends", { json: {} }),
      await call("OPTIONS", "/v1/backends"),
      await call("POST", "/v1/logout"),
      await call("GET", "/v1/nothing"),
      await call("GET", "/v1/logs.csv"),
    ];
    for (const { headers, body } of answers) {
      assert.equal(headers.get("cache-control"), "no-store");
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      await body?.cancel();
    }
  }));

Deno.test("without a valid token or session every operation but four is 401", () =>
  withApi(async ({ call }) => {
    const wrong: Record<string, string>[] = [
      {},
      { authorization: "Bearer" },
      { authorization: "Bearer nonsense" },
      { authorization: "Bearer pta_000000000000000000000000000000000000000000000000" },
      { authorization: "Basic YW5uYTpzZWNyZXQ=" },
      { cookie: `portico_session=${"A".repeat(43)}` },
    ];
    for (const headers of wrong) {
      for (const path of ["/v1/backends", "/v1/users/x", "/v1/publish", "/v1/logs", "/v1/tokens"]) {
        const response = await call("GET", path, { headers });
        assert.equal(response.headers.get("www-authenticate"), "Bearer");
        await assertRefused(response, 401, "NOT_SIGNED_IN");
      }
    }
    await assertRefused(
      await call("POST", "/v1/backends", { body: "no JSON" }),
      401,
      "NOT_SIGNED_IN",
    );
  }));

Deno.test("a token is asked before the session, and a wrong one is not made up for by a cookie", () =>
  withApi(async (api) => {
    await api.portico.accounts.setUp(anna, { address: "::1", direct: true });
    const cookie = await cookieOf(api);
    for (const authorization of ["Bearer pta_wrong", "bearer", "Bearer  , Bearer "]) {
      const headers = { cookie, authorization };
      await assertRefused(await api.call("GET", "/v1/backends", { headers }), 401, "NOT_SIGNED_IN");
    }
    const headers = { cookie, authorization: "Basic YW5uYTpzZWNyZXQ=" };
    const proxied = await api.call("GET", "/v1/backends", { headers });
    assert.equal(proxied.status, 200, "what a proxy on the way asks for is not ours to judge");
    await proxied.body?.cancel();
  }));

Deno.test("another site's page cannot use the session, whatever it sends", () =>
  withApi(async (api) => {
    await api.portico.accounts.setUp(anna, { address: "::1", direct: true });
    const cookie = await cookieOf(api);
    const foreign: Record<string, string>[] = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: api.origin, "sec-fetch-site": "cross-site" },
    ];
    for (const headers of foreign) {
      const options = { headers: { ...headers, cookie } };
      await assertRefused(await api.call("GET", "/v1/backends", options), 403, "FORBIDDEN");
      const write = { ...options, json: backend };
      await assertRefused(await api.call("POST", "/v1/backends", write), 403, "FORBIDDEN");
    }
    const silent = { headers: { cookie }, json: backend };
    await assertRefused(await api.call("POST", "/v1/backends", silent), 403, "FORBIDDEN");
    assert.equal((await api.portico.backends.all()).length, 0);
  }));

Deno.test("this server's own pages can use the session", () =>
  withApi(async (api) => {
    await api.portico.accounts.setUp(anna, { address: "::1", direct: true });
    const cookie = await cookieOf(api);
    const own: Record<string, string>[] = [
      { "sec-fetch-site": "same-origin" },
      { origin: api.origin },
    ];
    for (const headers of own) {
      const options = { headers: { ...headers, cookie }, json: backend };
      const created = await api.call("POST", "/v1/backends", options);
      assert.equal(created.status, 201);
      await created.body?.cancel();
    }
    const read = await api.call("GET", "/v1/backends", { headers: { cookie } });
    assert.equal((await read.json()).total, 2);
  }));

Deno.test("of two session cookies neither counts", () =>
  withApi(async (api) => {
    await api.portico.accounts.setUp(anna, { address: "::1", direct: true });
    const cookie = await cookieOf(api);
    const headers = { cookie: `portico_session=${"A".repeat(43)}; ${cookie}` };
    await assertRefused(await api.call("GET", "/v1/backends", { headers }), 401, "NOT_SIGNED_IN");
  }));

Deno.test("an admin token works from anywhere, for it is no cookie", () =>
  withSignedIn(async ({ call }) => {
    const headers = { origin: "https://scripts.example", "sec-fetch-site": "cross-site" };
    const response = await call("POST", "/v1/backends", { headers, json: backend });
    assert.equal(response.status, 201);
    await response.body?.cancel();
  }));

Deno.test("a body that is no JSON is 400, JSON that is no object is 422", () =>
  withSignedIn(async ({ call }) => {
    const noJson = ["", " ", "{", "name=Weather", "{'name':1}", "\ufeff", "{}{}", "NaN"];
    const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    for (const body of [...noJson, bytes]) {
      await assertRefused(await call("POST", "/v1/backends", { body }), 400, "BAD_REQUEST");
    }
    for (const body of ["[]", '"x"', "1", "null", "true", `[${JSON.stringify(backend)}]`]) {
      for (const path of ["/v1/backends", "/v1/publish", "/v1/users"]) {
        await assertRefused(await call("POST", path, { body }), 422, "INVALID_INPUT");
      }
    }
  }));

Deno.test("a body over 1 MiB is 413, whether its length is announced or not", () =>
  withSignedIn(async ({ call }) => {
    const text = JSON.stringify({ ...backend, name: "x".repeat(1024 * 1024) });
    await assertRefused(await call("POST", "/v1/backends", { body: text }), 413, "TOO_LARGE");
    const chunks = ReadableStream.from(
      Array.from({ length: 200 }, () => new Uint8Array(10_000).fill(0x20)),
    );
    await assertRefused(await call("POST", "/v1/backends", { body: chunks }), 413, "TOO_LARGE");
  }));

Deno.test("a body of exactly 1 MiB, in chunks, is read", () =>
  withSignedIn(async ({ call }) => {
    const text = JSON.stringify(backend).padEnd(1024 * 1024);
    const half = text.length / 2;
    const chunks = ReadableStream.from([text.slice(0, half), text.slice(half)])
      .pipeThrough(new TextEncoderStream());
    const response = await call("POST", "/v1/backends", { body: chunks });
    assert.equal(response.status, 201);
    await response.body?.cancel();
  }));

Deno.test("deep nesting and names of Object's own properties do no harm", () =>
  withSignedIn(async ({ call }) => {
    const deep = "[".repeat(150_000) + "]".repeat(150_000);
    const body = `{"name":${deep},"servers":[${deep}],"url_matches":{"a":${deep}}}`;
    const refused = await call("POST", "/v1/backends", { body });
    assert.equal(refused.status, 422);
    await refused.body?.cancel();

    const names = '"__proto__":{"name":"x"},"constructor":{"prototype":{"enabled":false}}';
    const polluting = await call("POST", "/v1/users", { body: `{${names}}` });
    assert.equal(polluting.status, 422);
    await polluting.body?.cancel();
    assert.equal("name" in {}, false);
  }));

Deno.test("what goes wrong inside is 500, told in full to the log alone", () =>
  withSignedIn(async ({ call, portico, lines }) => {
    portico.backends.list = () => Promise.reject(new Error("disk on fire"));
    const response = await call("GET", "/v1/backends?cursor=secret");
    assert.equal(response.status, 500);
    const text = await response.text();
    assert.ok(!text.includes("fire"));
    const requestId = /request id (\w+)/.exec(text)?.[1] ?? "?";
    const line = lines.find((line) => line.includes(requestId)) ?? "";
    assert.ok(line.includes("disk on fire") && !line.includes("secret"), line);
  }));
