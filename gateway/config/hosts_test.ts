import assert from "node:assert/strict";
import { errorsOf, load } from "./testing.ts";

const host = (value: string) =>
  `hosts: [{ hostname: a, http_strict_transport_security: '${value}' }]\n`;

Deno.test("a value of Strict-Transport-Security is taken as it stands", async () => {
  for (
    const value of [
      "max-age=31536000",
      "max-age=0",
      "max-age=31536000; includeSubDomains; preload",
      'includeSubDomains ; MAX-AGE="60";',
      "max-age=60; later=thing",
    ]
  ) {
    const { config } = await load({ file: host(value) });
    assert.equal(config.hosts[0]?.http_strict_transport_security, value);
  }
});

Deno.test("what browsers would not go by is refused (RFC 6797 §6.1)", async () => {
  for (
    const value of [
      "31536000",
      "max-age",
      "max-age=a year",
      "max-age=-1",
      "includeSubDomains",
      "max-age=1; max-age=2",
      "max-age=1; includeSubDomains=yes",
      "max-age=1, includeSubDomains",
    ]
  ) {
    const [error] = await errorsOf({ file: host(value) });
    assert.match(error ?? "", /must be a value of Strict-Transport-Security such as/, value);
  }
});

Deno.test("what is not found is sent to HTTPS where there is HTTPS, unless the file says no", async () => {
  const redirects = async (file: string) =>
    (await load({ file })).config.router.redirect_not_found_to_https;
  assert.equal(await redirects("http_port: 8080\n"), false);
  assert.equal(await redirects("https_port: 8443\n"), true);
  assert.equal(
    await redirects("https_port: 8443\nrouter: { redirect_not_found_to_https: false }\n"),
    false,
  );
});
