import assert from "node:assert/strict";
import { errorsOf } from "./testing.ts";

const secret = "Sesame0pen";
const privateKey = `-----BEGIN PRIVATE KEY-----\\n${secret}\\n-----END PRIVATE KEY-----`;

Deno.test("a private key where a certificate belongs is refused and not shown", async () => {
  const file = `\
apis:
  - name: a
    servers: [{ host: a, port: 1 }]
    url_matches: [{ frontend_prefix: / }]
    backend_tls: { ca: "${privateKey}" }
`;
  assert.deepEqual(await errorsOf({ file }), [
    "portico.yml:5:24: apis[0].backend_tls.ca: holds a private key: only certificates belong here, found a secret of 64 characters",
  ]);
});

Deno.test("a private key where its file's path belongs is refused and not shown", async () => {
  const file = `hosts: [{ hostname: a, ssl_cert: a.pem, ssl_cert_key: "${privateKey}" }]\n`;
  assert.deepEqual(await errorsOf({ file }), [
    "portico.yml:1:55: hosts[0].ssl_cert_key: must be the path of a file, not what is in it, found a secret of 64 characters",
  ]);
});
