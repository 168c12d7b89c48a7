/** How callers see this server, where a load balancer stands in front of it. */
import assert from "node:assert/strict";
import { startPortico } from "./harness/portico.ts";
import { exchangeBytes } from "./harness/raw.ts";
import { startUpstream } from "./harness/upstream.ts";

const CONFIG = `
router: { trusted_proxies: [127.0.0.1], match_x_forwarded_host: true }
override_public_http_port: 443
override_public_http_proto: https
`;

function api(host: string, port: number): string {
  return `
  - name: ${host}
    frontend_host: ${host}
    servers: [{ host: 127.0.0.1, port: ${port} }]
    url_matches: [{ frontend_prefix: / }]
    settings: { disable_api_key: true, require_https: required_return_error }`;
}

function call(port: number, host: string, ...headers: string[]) {
  const lines = ["GET /x HTTP/1.1", `Host: ${host}`, "Connection: close", ...headers, "", ""];
  return exchangeBytes(port, lines.join("\r\n"));
}

Deno.test("a call is for the host that a trusted proxy names, and came as callers see it", async () => {
  await using upstream = await startUpstream();
  const apis = `apis:${api("a.example", upstream.port)}`;
  await using portico = await startPortico({ config: CONFIG + apis });
  const forwarded = "X-Forwarded-Host: A.example:81";
  assert.equal((await call(portico.port, "inner.example", forwarded)).status, 200);
  const { headers } = upstream.last;
  assert.equal(headers.host, "A.example:81");
  assert.equal(headers["x-forwarded-host"], "A.example:81");
  assert.equal(headers["x-forwarded-proto"], "https");
  assert.equal(headers["x-forwarded-port"], "443");
  assert.equal((await call(portico.port, "a.example")).status, 200);
  assert.equal((await call(portico.port, "a.example", "X-Forwarded-Host: b.example")).status, 404);
});

Deno.test("what a caller says of it counts for nothing", async () => {
  await using upstream = await startUpstream();
  const apis = `apis:${api("a.example", upstream.port)}`;
  await using portico = await startPortico({
    config: `router: { match_x_forwarded_host: true }\noverride_public_https_port: 444\n${apis}`,
  });
  const forged = ["X-Forwarded-Proto: https", "X-Forwarded-Host: b.example", "X-Forwarded-Port: 1"];
  const { status, body } = await call(portico.port, "a.example", ...forged);
  assert.equal(status, 400);
  assert.match(body, /HTTPS_REQUIRED.*https:\/\/a\.example:444\/x/s);
  assert.equal((await call(portico.port, "b.example", "X-Forwarded-Host: a.example")).status, 404);
});
