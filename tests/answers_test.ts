/** What becomes of a backend's answer on its way to the caller, over the wire: fields and redirects. */
import assert from "node:assert/strict";
import { ByteUpstream } from "@/gateway/upstream/testing/byte_upstream.ts";
import { setUp } from "./harness/admin.ts";
import { startPortico } from "./harness/portico.ts";
import { exchangeBytes, headerValues, type RawAnswer } from "./harness/raw.ts";

/** Answers with the lines that the last segment of the request's path names. */
function answering(heads: Record<string, string[]>): ByteUpstream {
  return new ByteUpstream(async (peer) => {
    for (;;) {
      const request = await peer.readHead().catch(() => null);
      if (request === null) return;
      const path = /^\w+ \S*\/([\w-]*)[? ]/.exec(request)?.[1] ?? "";
      const lines = heads[path] ?? ["HTTP/1.1 404 Not Found"];
      await peer.write([...lines, "Content-Length: 0", "", ""].join("\r\n"));
    }
  });
}

interface Place {
  readonly port: number;
  readonly host?: string;
  readonly headers?: readonly string[];
}

function get({ port, host = "a.example", headers = [] }: Place, target: string) {
  const lines = [`GET ${target} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...headers];
  return exchangeBytes(port, [...lines, "", ""].join("\r\n"));
}

function backend(prefix: string, port: number, more: Record<string, unknown> = {}) {
  return {
    name: prefix,
    servers: [{ host: "127.0.0.1", port }],
    url_matches: [{ frontend_prefix: prefix, backend_prefix: "/" }],
    settings: { disable_api_key: true },
    ...more,
  };
}

function configuration(apis: unknown[], more: Record<string, unknown> = {}): string {
  const file = { default_api_backend_settings: { rate_limit_mode: "unlimited" }, apis, ...more };
  return JSON.stringify(file); // which is YAML too
}

Deno.test("fields of an answer are set where they are missing, or in any case", async (t) => {
  await using upstream = answering({
    plain: ["HTTP/1.1 200 OK"],
    full: ["HTTP/1.1 200 OK", "X-FIRST: theirs", "X-Second: theirs", "X-Second: more"],
    part: ["HTTP/1.1 200 OK", "X-First: theirs"],
  });
  const settings = {
    disable_api_key: true,
    default_response_headers: [{ key: "X-First", value: "default" }],
    override_response_headers: [{ key: "x-SECOND", value: "a: b" }],
  };
  const part = { default_response_headers: [{ key: "X-Third", value: "sub" }] };
  await using portico = await startPortico({
    config: configuration([
      backend("/set/", upstream.port, {
        settings,
        sub_settings: [{ http_method: "any", regex: "^/part", settings: part }],
      }),
    ]),
  });
  const answer = (path: string) => get(portico, `/set/${path}`);

  await t.step("a default holds where the backend says nothing, in any spelling", async () => {
    assert.deepEqual(headerValues(await answer("plain"), "x-first"), ["default"]);
    assert.deepEqual(headerValues(await answer("full"), "x-first"), ["theirs"]);
  });
  await t.step("an override stands in place of all that the backend says", async () => {
    assert.deepEqual(headerValues(await answer("plain"), "x-second"), ["a: b"]);
    assert.deepEqual(headerValues(await answer("full"), "x-second"), ["a: b"]);
  });
  await t.step("a sub-URL's list stands in place of the backend's, and of no other", async () => {
    const sub = await answer("part");
    assert.deepEqual(headerValues(sub, "x-first"), ["theirs"]);
    assert.deepEqual(headerValues(sub, "x-third"), ["sub"]);
    assert.deepEqual(headerValues(sub, "x-second"), ["a: b"]);
  });
});

Deno.test("fields that come more than once stay apart, in their order", async () => {
  await using upstream = answering({
    many: [
      ...["HTTP/1.1 200 OK", "Set-Cookie: a=1, b", "X-Many: 1", "Set-Cookie: c=2", "X-Many: 2"],
      ...["Link: <a>", "Link: <b>"],
    ],
  });
  await using portico = await startPortico({
    config: configuration([backend("/", upstream.port)]),
  });
  const answer = await get(portico, "/many");
  assert.deepEqual(headerValues(answer, "set-cookie"), ["a=1, b", "c=2"]);
  assert.deepEqual(headerValues(answer, "x-many"), ["1", "2"]);
  assert.deepEqual(headerValues(answer, "link"), ["<a>", "<b>"]);
});

Deno.test("the backend's Server is passed on unless strip_server_header says otherwise", async () => {
  await using upstream = answering({ x: ["HTTP/1.1 200 OK", "Server: theirs/1.0"] });
  const apis = [backend("/", upstream.port)];
  await using passing = await startPortico({ config: configuration(apis) });
  assert.deepEqual(headerValues(await get(passing, "/x"), "server"), ["theirs/1.0"]);
  await using stripping = await startPortico({
    config: configuration(apis, { strip_server_header: true }),
  });
  assert.deepEqual(headerValues(await get(stripping, "/x"), "server"), []);
});

Deno.test("redirects lead to where callers know the backend", async (t) => {
  const locations: Record<string, string> = {
    absolute: "http://backend.example/inner/x?a=1#b",
    upper: "HTTP://BACKEND.example:9999/inner/x",
    outside: "http://backend.example/x",
    secure: "https://backend.example/inner/x",
    rooted: "/inner/x?a=1",
    "rooted-outside": "/x",
    relative: "inner/x",
    elsewhere: "http://elsewhere.example/inner/x",
    network: "//backend.example/inner/x",
    user: "http://backend.example@evil.example/inner/",
    odd: "http://backend.example\\@evil.example/inner/",
    empty: "",
    sub: "http://x.backend.example/inner/x",
    public: "/front/x",
    host: "http://a.example:81/x",
  };
  await using upstream = answering(
    Object.fromEntries(
      Object.entries(locations).map(([name, location]) => [
        name,
        ["HTTP/1.1 302 Found", `Location: ${location}`],
      ]),
    ),
  );
  const inner = (frontend_prefix: string) => [{ frontend_prefix, backend_prefix: "/inner/" }];
  const open = { disable_api_key: true };
  await using portico = await startPortico({
    config: configuration([
      backend("/front/", upstream.port, {
        backend_host: "backend.example",
        url_matches: inner("/front/"),
        settings: open,
      }),
      backend("/named/", upstream.port, {
        frontend_host: "Named.example",
        backend_host: "backend.example",
        url_matches: inner("/named/"),
        settings: open,
      }),
      backend("/family/", upstream.port, {
        frontend_host: "*.example",
        backend_host: "*.backend.example",
        url_matches: inner("/family/"),
        settings: open,
      }),
      backend("/root/", upstream.port, { backend_host: "backend.example" }),
      backend("/as-asked/", upstream.port),
      backend("/keyed/", upstream.port, {
        backend_host: "backend.example",
        url_matches: inner("/keyed/"),
        settings: {},
      }),
    ], { router: { trusted_proxies: ["127.0.0.0/8"] } }),
  });
  const location = async (target: string, place: Partial<Place> = {}) =>
    locationOf(await get({ port: portico.port, ...place }, target));
  const here = `a.example:${portico.port}`;

  await t.step("the backend's own host becomes the one that the caller asked", async () => {
    const at = (name: string, host = here) => location(`/front/${name}`, { host });
    assert.equal(await at("absolute"), `http://${here}/front/x?a=1#b`);
    assert.equal(await at("upper"), `http://${here}/front/x`);
    assert.equal(await at("outside"), `http://${here}/x`);
    assert.equal(await at("absolute", "A.example"), "http://a.example/front/x?a=1#b");
  });
  await t.step("a backend that has one public host leads there", async () => {
    assert.equal(
      await location("/named/absolute", { host: `NAMED.example:${portico.port}` }),
      `http://named.example:${portico.port}/named/x?a=1#b`,
    );
  });
  await t.step("a wildcard's part of the host is the caller's", async () => {
    assert.equal(
      await location("/family/sub", { host: "x.example" }),
      "http://x.example/family/x",
    );
  });
  await t.step("without backend_host its own host is the one that it was told", async () => {
    assert.equal(
      await location("/as-asked/host", { host: "a.example:81" }),
      "http://a.example:81/as-asked/x",
    );
  });
  await t.step("paths get the public prefix, unless they have it", async () => {
    assert.equal(await location("/front/rooted"), "/front/x?a=1");
    assert.equal(await location("/front/rooted-outside"), "/x");
    assert.equal(await location("/root/rooted-outside"), "/root/x");
    assert.equal(await location("/front/public"), "/front/x");
  });
  await t.step(
    "who came over HTTPS stays there; who did not is sent where there is none",
    async () => {
      const headers = ["X-Forwarded-Proto: https", "X-Forwarded-Port: 8443"];
      assert.equal(
        await location("/front/absolute", { headers }),
        "https://a.example:8443/front/x?a=1#b",
      );
      assert.equal(await location("/front/secure", { host: here }), `http://${here}/front/x`);
    },
  );
  await t.step("everything else stays byte for byte", async () => {
    for (const name of ["relative", "elsewhere", "network", "user", "odd", "empty", "sub"]) {
      assert.equal(await location(`/front/${name}`), locations[name]);
    }
  });
  await t.step("the caller's key goes along if it was in the query, and then alone", async () => {
    const admin = await setUp(portico);
    const { key } = await admin.addUser();
    assert.equal(await location(`/keyed/rooted?api_key=${key}`), `/keyed/x?a=1&api_key=${key}`);
    assert.equal(
      await location(`/keyed/absolute?b=1&api_key=${key}`, { host: here }),
      `http://${here}/keyed/x?a=1&api_key=${key}#b`,
    );
    assert.equal(
      await location("/keyed/rooted", { headers: [`X-Api-Key: ${key}`] }),
      "/keyed/x?a=1",
    );
    assert.equal(
      await location("/keyed/rooted", { headers: [`Authorization: Basic ${btoa(`${key}:`)}`] }),
      "/keyed/x?a=1",
    );
    assert.equal(await location(`/keyed/elsewhere?api_key=${key}`), locations.elsewhere);
  });
});

function locationOf(answer: RawAnswer): string | undefined {
  assert.equal(answer.status, 302, answer.body);
  return headerValues(answer, "location")[0];
}
