/** HTTPS with the certificate that Portico signs itself, over HTTP/2 and HTTP/1.1. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { password, setUp } from "./harness/admin.ts";
import { type RunningPortico, startPortico } from "./harness/portico.ts";
import { startUpstream } from "./harness/upstream.ts";

Deno.test("HTTPS is served with a certificate made at the first start and kept", async () => {
  await using upstream = await startUpstream();
  await using portico = await startPortico({ config: "https_port: 0\n" });
  const admin = await setUp(portico);
  await admin.addBackend(upstream.port, "/api/", { settings: { disable_api_key: true } });
  await admin.expect(201, "POST", "/publish", {});
  const https = portico.url("https");
  const certificate = await keptCertificate(portico);

  for (const http2 of [true, false]) {
    using client = Deno.createHttpClient({
      caCerts: [certificate],
      http1: !http2,
      http2,
      poolMaxIdlePerHost: 0,
    });
    const response = await fetchBy(client, `${https}/api/x?y=1`);
    assert.equal(response.status, 200, await response.clone().text());
    const seen = await response.json();
    assert.equal(seen.target, "/x?y=1");
    assert.equal(seen.headers["x-forwarded-proto"], "https");
    assert.equal(seen.headers["x-forwarded-port"], new URL(https).port);
    assert.equal(seen.headers.host, new URL(https).host);

    const upload = await fetchBy(client, `${https}/api/upload`, {
      method: "POST",
      body: "x".repeat(200_000),
    });
    assert.equal((await upload.json()).body.length, 200_000);

    const login = await fetchBy(client, `${https}/admin/api/v1/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "admin@example.org", password }),
    });
    assert.equal(login.status, 200, await login.text());
    assert.match(login.headers.get("set-cookie") ?? "", /; Secure/);
  }

  // With HTTPS on, plain HTTP is refused, and the message says where to go.
  const plain = await fetch(`${portico.url()}/api/x`);
  assert.equal(plain.status, 400);
  assert.equal((await plain.json()).error.code, "HTTPS_REQUIRED");

  // So do the pages that take passwords, but for whoever is at the machine itself.
  const page = (headers: Record<string, string>) =>
    fetch(`${portico.url()}/admin/login?return_to=%2F`, { headers, redirect: "manual" });
  const afar = await page({ "x-forwarded-for": "192.0.2.1" });
  await afar.body?.cancel();
  assert.equal(afar.status, 302);
  assert.match(afar.headers.get("location") ?? "", /^https:\/\/localhost.*\/login\?return_to=%2F$/);
  const here = await page({});
  assert.match(await here.text(), /name="password"/);

  await portico.end("SIGTERM");
  await using again = await startPortico({
    config: "https_port: 0\n",
    dataFolder: portico.dataFolder,
  });
  assert.equal(await keptCertificate(again), certificate);
});

/** The certificate without the key that lies beside it. */
async function keptCertificate({ dataFolder }: RunningPortico): Promise<string> {
  const pem = await Deno.readTextFile(join(dataFolder, "self_signed.pem"));
  return pem.slice(0, pem.indexOf("-----BEGIN PRIVATE KEY-----"));
}

/** The types of the browser's `fetch`, which the pages are checked with, know no client. */
function fetchBy(client: Deno.HttpClient, url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, client } as RequestInit);
}
