/** `hosts[]`: certificates by name, Strict-Transport-Security, and the default host. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { selfSigned } from "@/gateway/process/self_signed.ts";
import { setUp } from "./harness/admin.ts";
import { ask, nameShown } from "./harness/by_host.ts";
import { spawnPortico, startPortico } from "./harness/portico.ts";
import { startUpstream } from "./harness/upstream.ts";
import { openWebSocket, startWebSocketUpstream } from "./harness/websocket.ts";

/** A folder with a certificate and its key for each of some names, and for localhost. */
async function certificatesFor(...names: string[]) {
  const folder = await Deno.makeTempDir({ prefix: "portico-hosts-" });
  for (const name of names) {
    const { cert, key } = selfSigned([name, "localhost"], new Date(Date.now() - 60_000), 1);
    await Deno.writeTextFile(join(folder, `${name}.pem`), cert);
    await Deno.writeTextFile(join(folder, `${name}.key`), key);
  }
  const tls = (name: string) =>
    `ssl_cert: "${join(folder, `${name}.pem`)}", ssl_cert_key: "${join(folder, `${name}.key`)}"`;
  const pem = (name: string) => Deno.readTextFile(join(folder, `${name}.pem`));
  return { tls, pem, [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }) };
}

Deno.test("each host is served with its own certificate, over HTTP/1.1 and HTTP/2", async () => {
  await using upstream = await startUpstream();
  await using live = await startWebSocketUpstream();
  await using files = await certificatesFor("one.example", "two.example", "*.wild.example");
  await using portico = await startPortico({
    config: `https_port: 0
hosts:
  - { hostname: one.example, ${files.tls("one.example")} }
  - { hostname: two.example, default: true, ${files.tls("two.example")} }
  - { hostname: "*.wild.example", ${files.tls("*.wild.example")} }
apis:
  - name: Open
    servers: [{ host: 127.0.0.1, port: ${upstream.port} }]
    url_matches: [{ frontend_prefix: /api/, backend_prefix: / }]
    settings: { disable_api_key: true }
  - name: Live
    servers: [{ host: 127.0.0.1, port: ${live.port} }]
    url_matches: [{ frontend_prefix: /live/ }]
    settings: { disable_api_key: true }
`,
  });
  const https = portico.url("https");
  const port = Number(new URL(https).port);
  for (
    const [asked, shown] of [
      ["one.example", "one.example"],
      ["two.example", "two.example"],
      ["a.wild.example", "*.wild.example"],
      ["b.wild.example", "*.wild.example"],
      ["other.example", "two.example"],
      ["", "two.example"],
    ] as const
  ) assert.equal(await nameShown(port, asked), shown, asked);

  for (const http2 of [true, false]) {
    const caCerts = [await files.pem("two.example")];
    using client = Deno.createHttpClient({ http1: !http2, http2, caCerts });
    const response = await fetchBy(client, `${https}/api/x`);
    assert.equal(response.status, 200);
    const seen = await response.json();
    assert.equal(seen.target, "/x");
    assert.equal(seen.headers["x-forwarded-proto"], "https");
    assert.equal(seen.headers["x-forwarded-for"], "127.0.0.1");
    const body = "x".repeat(200_000);
    const upload = await fetchBy(client, `${https}/api/upload`, { method: "POST", body });
    assert.equal((await upload.json()).body.length, body.length);
  }
  const ca = await files.pem("two.example");
  const [{ end }, [server]] = await Promise.all([
    openWebSocket(`${https}/live/chat`, { ca }),
    live.accept(),
  ]);
  end.send("hello");
  assert.equal(await server.text(), "hello");

  const { code } = await portico.end("SIGTERM");
  assert.equal((await end.closed).code, 1001);
  assert.equal(code, 0);
});

Deno.test("a host's Strict-Transport-Security is on every answer over HTTPS, and on no other", async () => {
  await using upstream = await startUpstream((_request, response) => {
    response.setHeader("strict-transport-security", "max-age=1");
    response.end("ok");
  });
  await using portico = await startPortico({
    config: `https_port: 0
hosts:
  - { hostname: strict.example, http_strict_transport_security: "max-age=60; includeSubDomains" }
  - { hostname: .wild.example, http_strict_transport_security: max-age=70 }
  - { hostname: loose.example }
apis:
  - name: Open
    servers: [{ host: 127.0.0.1, port: ${upstream.port} }]
    url_matches: [{ frontend_prefix: /api/, backend_prefix: / }]
    settings: { disable_api_key: true, require_https: optional }
`,
  });
  const policyOf = async (scheme: "http" | "https", host: string, target: string) =>
    (await ask(portico.url(scheme), host, target)).headers["strict-transport-security"];
  const own = "max-age=60; includeSubDomains";
  // An API's answer, a refusal, own pages, a request that is malformed.
  for (const target of ["/api/x", "/nothing", "/", "/admin/login", "/portico/health", "/a/../b"]) {
    assert.equal(await policyOf("https", "strict.example", target), own, target);
  }
  assert.equal(await policyOf("https", "a.wild.example", "/nothing"), "max-age=70");
  assert.equal(await policyOf("https", "wild.example", "/nothing"), "max-age=70");
  assert.equal(await policyOf("https", "loose.example", "/nothing"), undefined);
  assert.equal(
    await policyOf("https", "loose.example", "/api/x"),
    "max-age=1",
    "the backend's own",
  );
  for (const target of ["/nothing", "/", "/portico/health"]) {
    assert.equal(await policyOf("http", "strict.example", target), undefined, target);
  }
});

Deno.test("the default host's APIs and website answer for hosts that have none", async () => {
  const startNamed = (name: string) =>
    startUpstream((_request, response) => {
      response.setHeader("x-name", name);
      response.end();
    });
  await using main = await startNamed("main");
  await using other = await startNamed("other");
  await using site = await startNamed("site");
  const api = (name: string, host: string, port: number, prefix: string) => `
  - name: ${name}
    frontend_host: ${host}
    servers: [{ host: 127.0.0.1, port: ${port} }]
    url_matches: [{ frontend_prefix: ${prefix} }]
    settings: { disable_api_key: true }`;
  await using portico = await startPortico({
    config: `hosts: [{ hostname: Main.example, default: true }, { hostname: other.example }]
apis:${api("Main", "main.example", main.port, "/v1/")}
${api("Other", "other.example", other.port, "/v1/")}
${api("Short", "short.example", other.port, "/")}
website_backends:
  - { frontend_host: main.example, server_host: 127.0.0.1, server_port: ${site.port} }
  - { frontend_host: other.example, server_host: 127.0.0.1, server_port: ${other.port} }
`,
  });
  const at = async (host: string, target: string) =>
    (await ask(portico.url(), host, target)).headers["x-name"];
  assert.equal(await at("main.example", "/v1/x"), "main");
  assert.equal(await at("unknown.example:8080", "/v1/x"), "main");
  assert.equal(await at("127.0.0.1", "/v1/x"), "main");
  // A host's own come first; where its prefix is shorter, the longer one wins as ever.
  assert.equal(await at("other.example", "/v1/x"), "other");
  assert.equal(await at("short.example", "/x"), "other");
  assert.equal(await at("short.example", "/v1/x"), "main");

  assert.equal(await at("unknown.example", "/about"), "site");
  assert.equal(await at("unknown.example", "/"), "site");
  assert.equal(await at("other.example", "/about"), "other");
  const admin = await ask(portico.url(), "unknown.example", "/admin/login", {
    headers: { accept: "text/html" },
  });
  assert.equal(admin.headers["x-name"], undefined);
});

Deno.test("what is for nobody goes to HTTPS where there is HTTPS, unless the file says no", async () => {
  await using portico = await startPortico({ config: "https_port: 0\n" });
  const plain = await ask(portico.url(), "A.example:80", "/nothing?a=b%20c");
  assert.equal(plain.status, 301);
  assert.equal(plain.headers.location, "https://a.example/nothing?a=b%20c");
  const secure = await ask(portico.url("https"), "a.example", "/nothing");
  assert.equal(secure.status, 404);
  assert.equal(JSON.parse(secure.text).error.code, "NOT_FOUND");
  const admin = await setUp(portico);
  await using staying = await startPortico({
    config: "https_port: 0\nrouter: { redirect_not_found_to_https: false }\n",
  });
  assert.equal((await ask(staying.url(), "a.example", "/nothing")).status, 404);
  const logs = await admin.logs("response_status=301");
  assert.equal(logs.length, 1);
});

Deno.test("the pages may be at one host alone, and are always at the machine's own address", async () => {
  await using upstream = await startUpstream((_request, response) => response.end("api"));
  await using portico = await startPortico({
    config: `router: { web_app_host: admin.example.org }
base_url: https://admin.example.org
apis:
  - name: All
    frontend_host: api.example.org
    servers: [{ host: 127.0.0.1, port: ${upstream.port} }]
    url_matches: [{ frontend_prefix: / }]
    settings: { disable_api_key: true }
`,
  });
  const at = async (host: string, target: string) => await ask(portico.url(), host, target);
  for (
    const host of ["admin.example.org", "localhost:8080", "127.0.0.1", "[::1]:8080", "10.1.2.3"]
  ) {
    for (const target of ["/", "/signup/", "/admin/login"]) {
      const { status, text } = await at(host, target);
      assert.ok(status < 400 && !text.startsWith("api"), `${host}${target}: ${status}`);
    }
  }
  for (const target of ["/signup/", "/admin/login", "/admin/api/v1/users"]) {
    assert.equal((await at("api.example.org", target)).text, "api", target);
    assert.equal((await at("elsewhere.example", target)).status, 404, target);
  }
  // The homepage goes with them; what refusals look like and the health check are everywhere.
  assert.equal((await at("elsewhere.example", "/")).status, 404);
  assert.equal((await at("elsewhere.example", "/portico/health")).status, 200);
  assert.match((await at("api.example.org", "/portico/styles.css")).text, /body/);
});

Deno.test("the longest prefix has a call, whichever host it is for; of equal ones the first", async () => {
  const startNamed = (name: string) =>
    startUpstream((request, response) => {
      response.setHeader("x-name", name);
      response.end(JSON.stringify(request.headers));
    });
  await using first = await startNamed("first");
  await using second = await startNamed("second");
  const api = (host: string, port: number, prefix: string, more = "") => `
  - name: "${host} ${prefix}"
    frontend_host: "${host}"
    servers: [{ host: 127.0.0.1, port: ${port} }]
    url_matches: [{ frontend_prefix: ${prefix} }]
    settings: { disable_api_key: true }
    ${more}`;
  await using portico = await startPortico({
    config: `apis:${api("*", first.port, "/a/")}${api("a.example", second.port, "/a/")}
${api("b.example", first.port, "/b/")}${api("*", second.port, "/b/c/")}
${api("*.wild.example", first.port, "/w/", "backend_host: '*.inner.example'")}
${api(".both.example", second.port, "/w/")}
`,
  });
  const at = async (host: string, target: string) =>
    (await ask(portico.url(), host, target)).headers["x-name"];
  assert.equal(await at("a.example", "/a/x"), "first", "created first");
  assert.equal(await at("b.example", "/b/x"), "first");
  assert.equal(await at("b.example", "/b/c/x"), "second", "longer, though for any host");
  assert.equal(await at("b.example", "/b"), undefined);
  assert.equal(await at("b.example", "/B/x"), undefined, "letters of either case are different");

  assert.equal(await at("x.wild.example", "/w/"), "first");
  assert.equal(await at("x.y.WILD.example", "/w/"), "first");
  assert.equal(await at("wild.example", "/w/"), undefined);
  assert.equal(await at("xwild.example", "/w/"), undefined);
  assert.equal(await at("both.example", "/w/"), "second");
  assert.equal(await at("x.both.example", "/w/"), "second");
  // What the wildcard stands for is filled in for the backend.
  const filled = await ask(portico.url(), "x.y.wild.example", "/w/");
  assert.equal(JSON.parse(filled.text).host, "x.y.inner.example");
});

Deno.test("ports do not matter in hosts, and one of two hundred characters is a host", async () => {
  await using upstream = await startUpstream();
  const long = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.api.example.org`;
  const api = (name: string, host: string) => `
  - name: ${name}
    frontend_host: "${host}"
    servers: [{ host: 127.0.0.1, port: ${upstream.port} }]
    url_matches: [{ frontend_prefix: /${name}/ }]
    settings: { disable_api_key: true }`;
  await using portico = await startPortico({
    config: `apis:${api("long", long)}${api("port", "port.example:8443")}`,
  });
  const statusOf = async (host: string, target: string) =>
    (await ask(portico.url(), host, target)).status;
  assert.equal(await statusOf(long, "/long/x"), 200);
  assert.equal(await statusOf(long.toUpperCase(), "/long/x"), 200);
  assert.equal(await statusOf(`${long}:9`, "/long/x"), 200);
  assert.equal(await statusOf(`x${long}`, "/long/x"), 404);
  assert.equal(await statusOf("port.example", "/port/x"), 200);
  assert.equal(await statusOf("port.example:1", "/port/x"), 200);
});

Deno.test("an exact match in the file is for its path alone", async () => {
  await using upstream = await startUpstream();
  await using portico = await startPortico({
    config: `apis:
  - name: Status
    servers: [{ host: 127.0.0.1, port: ${upstream.port} }]
    url_matches: [{ frontend_prefix: /status, backend_prefix: /inside/health, exact_match: true }]
    settings: { disable_api_key: true }
`,
  });
  const exact = await ask(portico.url(), "a.example", "/status?x=1");
  assert.equal(JSON.parse(exact.text).target, "/inside/health?x=1");
  for (const target of ["/status/", "/statuses", "/status/x"]) {
    assert.equal((await ask(portico.url(), "a.example", target)).status, 404, target);
  }
});

Deno.test("an API may lead to this server itself, and a call goes through twice", async () => {
  await using upstream = await startUpstream();
  await using portico = await startPortico();
  const admin = await setUp(portico);
  const open = { settings: { disable_api_key: true } };
  await admin.addBackend(upstream.port, "/inner/", open);
  await admin.addBackend(portico.port, "/outer/", {
    ...open,
    url_matches: [{ frontend_prefix: "/outer/", backend_prefix: "/inner/" }],
  });
  await admin.publish("/outer/x");
  const answer = await ask(portico.url(), "a.example", "/outer/y?z=1");
  assert.equal(answer.status, 200);
  assert.equal(JSON.parse(answer.text).target, "/y?z=1");
});

Deno.test("nginx's own directives are no keys of a host: nothing starts, and the file says where", async () => {
  await using portico = await spawnPortico({
    config: "hosts: [{ hostname: a.example, rewrites: ['^/x /y'] }]\n",
  });
  const { code } = await portico.ended();
  assert.equal(code, 2);
  assert.match(portico.output, /hosts\[0\]\.rewrites: is not a known key/);
});

/** The types of the browser's `fetch`, which the pages are checked with, know no client. */
function fetchBy(client: Deno.HttpClient, url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, client } as RequestInit);
}
