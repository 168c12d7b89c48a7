import assert from "node:assert/strict";
import { Authority, type Certified } from "@/gateway/upstream/testing/authority.ts";
import { ByteUpstream } from "@/gateway/upstream/testing/byte_upstream.ts";
import { type AdminClient, setUp } from "./harness/admin.ts";
import { startPortico } from "./harness/portico.ts";
import { until } from "./harness/until.ts";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const OPEN = { disable_api_key: true };

/** Answers every call over TLS, with the given certificate. */
function overTls({ cert, key }: Certified): ByteUpstream {
  return new ByteUpstream(async (peer) => {
    while (await peer.answer(OK).then(() => true, () => false));
  }, Deno.listenTls({ hostname: "127.0.0.1", port: 0, cert, key }));
}

async function answer(admin: AdminClient, path: string): Promise<string> {
  const response = await fetch(admin.base + path);
  return `${response.status} ${(await response.text()).match(/"code":\s*"(\w+)"/)?.[1] ?? "ok"}`;
}

Deno.test("servers are verified as their backend says, with the permissions that Portico has", async () => {
  const authority = new Authority("Authority");
  const own = new Authority("localhost", ["localhost"]);
  await using signed = overTls(authority.certify(["inner.example"]));
  await using itself = overTls(own);
  await using portico = await startPortico();
  const admin = await setUp(portico);
  const add = (prefix: string, upstream: ByteUpstream, backend_tls?: Record<string, unknown>) =>
    admin.addBackend(upstream.port, prefix, {
      backend_protocol: "https",
      servers: [{ host: "localhost", port: upstream.port }],
      settings: OPEN,
      ...(backend_tls && { backend_tls }),
    });
  await add("/unknown/", signed);
  await add("/trusted/", signed, { ca: authority.cert, server_name: "inner.example" });
  await add("/other-name/", signed, { ca: authority.cert });
  await add("/itself/", itself, { ca: own.cert });
  await add("/unverified/", signed, { verify: false });
  await admin.publish("/unverified/");

  assert.equal(await answer(admin, "/unknown/"), "503 SERVICE_UNAVAILABLE");
  assert.equal(await answer(admin, "/trusted/"), "200 ok");
  assert.equal(await answer(admin, "/other-name/"), "503 SERVICE_UNAVAILABLE");
  assert.equal(await answer(admin, "/itself/"), "200 ok");
  assert.equal(await answer(admin, "/unverified/"), "200 ok");
  assert.match(portico.output, /invalid peer certificate: UnknownIssuer/);
});

Deno.test("certificates and checks that make no sense are refused by name", async () => {
  await using portico = await startPortico();
  const admin = await setUp(portico);
  const { errors } = await admin.expect(422, "POST", "/backends", {
    name: "Backend",
    servers: [{ host: "localhost", port: 443 }],
    url_matches: [{ frontend_prefix: "/", backend_prefix: "/" }],
    backend_tls: { ca: new Authority("Authority").key, server_name: "https://a.example" },
    health_check: { path: "health", interval_seconds: 0, expected_statuses: [99] },
    settings: { total_timeout_seconds: 0 },
  });
  assert.deepEqual((errors as { field: string }[]).map(({ field }) => field), [
    "backend_tls.ca",
    "backend_tls.server_name",
    "health_check.path",
    "health_check.interval_seconds",
    "health_check.expected_statuses[0]",
    "settings.total_timeout_seconds",
  ]);
});

Deno.test("a call has its time in all, and a failing server its say in the log", async () => {
  await using silent = new ByteUpstream(async (peer) => {
    await peer.readToEnd();
  });
  await using portico = await startPortico();
  const admin = await setUp(portico);
  await admin.addBackend(silent.port, "/slow/", {
    settings: { ...OPEN, total_timeout_seconds: 0.2 },
    balance_algorithm: "ip_hash",
    health_check: {
      path: "/health",
      interval_seconds: 1,
      timeout_seconds: 0.2,
      unhealthy_after: 1,
    },
  });
  await admin.publish("/slow/");
  assert.equal(await answer(admin, "/slow/"), "504 GATEWAY_TIMEOUT");
  await until(() => portico.output.includes("a server is unhealthy"));
  assert.equal(await answer(admin, "/slow/"), "504 GATEWAY_TIMEOUT"); // no other remains
});

Deno.test("a sub-URL has time-outs of its own, and a body of its own size", async () => {
  await using silent = new ByteUpstream(async (peer) => {
    await peer.readToEnd();
  });
  await using portico = await startPortico();
  const admin = await setUp(portico);
  await admin.addBackend(silent.port, "/reports/", {
    settings: { ...OPEN, read_timeout_seconds: 60 },
    sub_settings: [
      { http_method: "any", regex: "^/quick/", settings: { read_timeout_seconds: 0.2 } },
      { http_method: "POST", regex: "^/notes", settings: { body_max_bytes: 3 } },
    ],
  });
  await admin.publish("/reports/quick/");
  assert.equal(await answer(admin, "/reports/quick/a"), "504 GATEWAY_TIMEOUT");
  assert.match(portico.output, /sent nothing for 0.2 s/);
  const post = await fetch(`${admin.base}/reports/notes`, { method: "POST", body: "1234" });
  assert.match(`${post.status} ${await post.text()}`, /^413 .*CONTENT_TOO_LARGE/s);
});
