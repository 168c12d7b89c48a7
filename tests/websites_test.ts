/** Website backends: everything on a host that is no API and no page of Portico's own. */
import assert from "node:assert/strict";
import { setUp } from "./harness/admin.ts";
import { ask } from "./harness/by_host.ts";
import { startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";
import { startUpstream } from "./harness/upstream.ts";
import { openWebSocket, startWebSocketUpstream } from "./harness/websocket.ts";

/** An upstream that says its name, and with what it was asked. */
const startSite = (name: string) =>
  startUpstream((request, response) => {
    if (request.url === "/framed") response.setHeader("x-frame-options", "ALLOWALL");
    response.setHeader("x-site", name);
    response.end(JSON.stringify({ name, target: request.url, headers: request.headers }));
  });

const site = (frontend_host: string, { port }: { readonly port: number }) => (
  { frontend_host, server_host: "127.0.0.1", server_port: port }
);

Deno.test("a host's website gets what is no API's and no page of Portico's own", async () => {
  await using home = await startSite("home");
  await using docs = await startSite("docs");
  await using wild = await startSite("wild");
  await using api = await startSite("api");
  await using portico = await startPortico({
    config: `website_backends:
  - { frontend_host: file.example.org, server_host: 127.0.0.1, server_port: ${docs.port} }
`,
  });
  const origin = portico.url();
  const admin = await setUp(portico);
  const nameAt = async (host: string, target: string) =>
    (await ask(origin, host, target)).headers["x-site"];

  // One that the file defines is there from the start, at its host alone.
  assert.equal(await nameAt("file.example.org", "/about"), "docs");
  assert.equal((await ask(origin, "www.example.org", "/about")).status, 404);
  assert.match((await ask(origin, "www.example.org", "/")).text, /<h1>/, "the built-in homepage");

  const { id } = await admin.expect(201, "POST", "/website_backends", site("*", home));
  await admin.expect(201, "POST", "/website_backends", site("docs.example.org", docs));
  await admin.expect(201, "POST", "/website_backends", site("*.example.org", wild));
  await admin.addBackend(api.port, "/api/", { frontend_host: "docs.example.org" });
  await admin.addBackend(api.port, "/", { frontend_host: "root.example.org" });
  assert.equal((await ask(origin, "www.example.org", "/about")).status, 404, "not published yet");
  await admin.expect(201, "POST", "/publish", {});
  await until(
    async () => await nameAt("www.example.org", "/about") === "wild",
    "the websites to be live",
    1000,
  );

  // The longest host wins; any other host has the website of `*`.
  assert.equal(await nameAt("DOCS.example.org:8080", "/a?b=c"), "docs");
  assert.equal(await nameAt("a.b.example.org", "/"), "wild");
  assert.equal(await nameAt("example.org", "/"), "home");
  assert.equal(await nameAt("elsewhere.example", "/"), "home");

  // APIs come first, with a key; of `/` a backend with that prefix takes all but itself.
  assert.equal((await ask(origin, "docs.example.org", "/api/x")).status, 403);
  assert.equal((await ask(origin, "docs.example.org", "/api")).headers["x-site"], "docs");
  assert.equal((await ask(origin, "root.example.org", "/x")).status, 403);
  assert.equal(await nameAt("root.example.org", "/"), "wild");

  // Portico's own pages stay where they are.
  for (const path of ["/admin/login", "/signup/", "/portico/health", "/admin/api/v1/users"]) {
    assert.equal(await nameAt("docs.example.org", path), undefined, path);
  }

  // It is changed and deleted like any other, and deleting acts when it is published.
  await admin.expect(200, "PUT", `/website_backends/${id}`, { frontend_host: "one.example" });
  await admin.expect(201, "POST", "/publish", { ids: [id] });
  await until(async () => await nameAt("one.example", "/x") === "home", "the change", 1000);
  assert.equal((await ask(origin, "elsewhere.example", "/x")).status, 404);
  await admin.expect(204, "DELETE", `/website_backends/${id}`);
  assert.equal(await nameAt("one.example", "/x"), "home");
  await admin.expect(201, "POST", "/publish", { ids: [id] });
  await until(
    async () => (await ask(origin, "one.example", "/x")).status === 404,
    "the deletion",
    1000,
  );
});

Deno.test("a website's visitors need no key, are not limited and not recorded", async () => {
  await using home = await startSite("home");
  await using portico = await startPortico({
    config: `default_api_backend_settings:
  rate_limits: [{ duration: 3600000, limit_by: ip, limit: 1 }]
  require_https: required_return_error
website_backends:
  - { frontend_host: "*", server_host: 127.0.0.1, server_port: ${home.port} }
`,
  });
  const origin = portico.url();
  const admin = await setUp(portico);
  for (let n = 0; n < 5; n++) {
    assert.equal((await ask(origin, "www.example.org", `/page-${n}`)).status, 200);
  }

  // A key means nothing there: one that is wrong is not refused, and none is passed on.
  const wrong = await ask(origin, "www.example.org", "/q?a=1&api_key=wrong&b=2", {
    headers: { "x-api-key": "wrong", "x-api-user-id": "forged", "accept-language": "de" },
  });
  assert.equal(wrong.status, 200);
  const seen = JSON.parse(wrong.text);
  assert.equal(seen.target, "/q?a=1&b=2");
  assert.equal(seen.headers["x-api-key"], undefined);
  assert.equal(seen.headers["x-api-user-id"], undefined);
  assert.equal(seen.headers["accept-language"], "de");
  assert.equal(seen.headers.host, "www.example.org");
  assert.equal(seen.headers["x-forwarded-host"], "www.example.org");
  const basic = { authorization: `Basic ${btoa("visitor:secret")}` };
  const known = await ask(origin, "www.example.org", "/private", { headers: basic });
  assert.equal(JSON.parse(known.text).headers.authorization, basic.authorization);

  // Browsers are told to be careful, unless the website has a say of its own.
  const { headers } = await ask(origin, "www.example.org", "/");
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.equal(headers["x-frame-options"], "SAMEORIGIN");
  const framed = await ask(origin, "www.example.org", "/framed");
  assert.equal(framed.headers["x-frame-options"], "ALLOWALL");

  const page = await ask(origin, "www.example.org", "/admin/login");
  assert.equal(page.headers["x-frame-options"], "DENY");
  assert.equal(page.headers["x-content-type-options"], "nosniff");

  // The call to an API that follows is in the log, and it is the only one.
  await admin.addBackend(home.port, "/api/", { settings: { require_https: "optional" } });
  await admin.publish("/api/x");
  await until(async () => (await admin.logs()).length > 0, "the call to be in the log");
  const rows = await admin.logs();
  assert.deepEqual(new Set(rows.map(({ request_path }) => request_path)), new Set(["/api/x"]));
});

Deno.test("a website's WebSockets are joined like those of APIs", async () => {
  await using upstream = await startWebSocketUpstream();
  await using portico = await startPortico({
    config: `website_backends:
  - { frontend_host: "*", server_host: 127.0.0.1, server_port: ${upstream.port} }
`,
  });
  const [{ end }, [server]] = await Promise.all([
    openWebSocket(`${portico.url()}/live`),
    upstream.accept(),
  ]);
  end.send("hello");
  assert.equal(await server.text(), "hello");
  server.send("there");
  assert.equal(await end.text(), "there");
  end.socket.close(1000);
  await end.closed;
});

Deno.test("where there is HTTPS, a website's visitors are sent there, but for paths that are left out", async () => {
  await using home = await startSite("home");
  const config = (more: string) =>
    `https_port: 0
website_backends:
  - { frontend_host: "*", server_host: 127.0.0.1, server_port: ${home.port} }
${more}`;
  await using portico = await startPortico({ config: config("") });
  const sent = await ask(portico.url(), "www.example.org", "/a?b=c");
  assert.equal(sent.status, 301);
  // A port that the system has chosen is in no link.
  assert.equal(sent.headers.location, "https://www.example.org/a?b=c");
  assert.equal((await ask(portico.url("https"), "www.example.org", "/a?b=c")).status, 200);

  await using some = await startPortico({
    config: config("router: { website_backend_required_https_regex_default: ^/account/ }"),
  });
  assert.equal((await ask(some.url(), "www.example.org", "/account/x")).status, 301);
  assert.equal((await ask(some.url(), "www.example.org", "/news")).status, 200);
});

Deno.test("a website that is down is answered for with 503", async () => {
  const gone = await startSite("gone");
  const { port } = gone;
  await gone[Symbol.asyncDispose]();
  await using portico = await startPortico({
    config:
      `website_backends:\n  - { frontend_host: "*", server_host: 127.0.0.1, server_port: ${port} }\n`,
  });
  const answer = await ask(portico.url(), "www.example.org", "/", {
    headers: { accept: "text/html" },
  });
  assert.equal(answer.status, 503);
  assert.match(answer.headers["content-type"] ?? "", /text\/html/);
  // And the admin is there all the same.
  assert.equal((await ask(portico.url(), "www.example.org", "/portico/health")).status, 200);
});
