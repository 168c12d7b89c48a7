import assert from "node:assert/strict";
import { errorsOf, load } from "./testing.ts";

Deno.test("a variable overrides its key, and its value is YAML", async () => {
  const { config } = await load({
    file: "http_port: 80\nrouter:\n  trusted_proxies: [10.0.0.1]\n",
    environment: {
      PORTICO_HTTP_PORT: "9000",
      PORTICO_ROUTER__TRUSTED_PROXIES: "[10.0.0.0/8, ::1]",
      PORTICO_WEB__ADMIN__PASSWORD_LENGTH_MIN: "20",
      PORTICO_UPSTREAM: "{ read_timeout_seconds: 5 }",
      PORTICO_UPSTREAM__SEND_TIMEOUT_SECONDS: "6",
    },
  });
  assert.equal(config.http_port, 9000);
  assert.deepEqual(config.router.trusted_proxies, ["10.0.0.0/8", "::1"]);
  assert.equal(config.web.admin.password_length_min, 20);
  assert.deepEqual(config.upstream, {
    connect_timeout_seconds: 30,
    read_timeout_seconds: 5,
    send_timeout_seconds: 6,
    total_timeout_seconds: null,
    dns_max_age_seconds: 30,
  });
});

Deno.test("a key that takes text takes a variable as it is", async () => {
  const texts = ["Data: the portal", "2026", "true", "*", "[draft]", "@home"];
  for (const text of texts) {
    const { config } = await load({ environment: { PORTICO_SITE_NAME: text } });
    assert.equal(config.site_name, text);
  }
  const digits = "12345678901234567890123456789012";
  const { config } = await load({ environment: { PORTICO_SECRET_KEY: digits } });
  assert.equal(config.secret_key, digits);
});

Deno.test("an empty variable sets nothing, null brings the default back", async () => {
  const given = { file: "https_port: 8443\n" };
  const empty = await load({ ...given, environment: { PORTICO_HTTPS_PORT: "" } });
  assert.equal(empty.config.https_port, 8443);
  const none = await load({ ...given, environment: { PORTICO_HTTPS_PORT: "null" } });
  assert.equal(none.config.https_port, null);
});

Deno.test("errors of the environment name the variable", async () => {
  assert.deepEqual(
    await errorsOf({
      file: "http_port: 80\n",
      environment: {
        PORTICO_HTTP_PORT: "eighty",
        PORTICO_ROUTER__TRUSTED_PROXIES: "[localhost]",
        PORTICO_HTTP_PROT: "81",
        PORTICO_HOSTS: "[{ hostnam: a }]",
        PORTICO_LISTEN: "{addresses: ",
      },
    }),
    [
      'PORTICO_HOSTS: hosts[0].hostnam: is not a known key, did you mean "hostname"? Allowed here: hostname, default, ssl_cert, ssl_cert_key, http_strict_transport_security',
      "PORTICO_HOSTS: hosts[0].hostname: must be given, found nothing",
      'PORTICO_HTTP_PORT: http_port: must be a whole number from 0 to 65535, found "eighty"',
      "PORTICO_HTTP_PROT: is not a variable of Portico, did you mean PORTICO_HTTP_PORT?",
      "PORTICO_LISTEN:1:13: is not valid YAML: flow map must end with a }",
      'PORTICO_ROUTER__TRUSTED_PROXIES: router.trusted_proxies[0]: must be an IP address or a range such as "10.0.0.0/8", found "localhost"',
    ],
  );
});

Deno.test("variables that a container platform sets for a service are not taken for keys", async () => {
  const { config } = await load({
    environment: {
      PORTICO_SERVICE_HOST: "10.0.0.1",
      PORTICO_SERVICE_PORT_HTTP: "80",
      PORTICO_PORT: "tcp://10.0.0.1:80",
      PORTICO_PORT_80_TCP_ADDR: "10.0.0.1",
    },
  });
  assert.equal(config.http_port, 8080);
});
