import assert from "node:assert/strict";
import { errorsOf, load } from "./testing.ts";

Deno.test("a wrong value is told with line, column, key, what is allowed and what was found", async () => {
  assert.deepEqual(await errorsOf({ file: "site_name: A\nhttp_port: eighty\n" }), [
    'portico.yml:2:12: http_port: must be a whole number from 0 to 65535, found "eighty"',
  ]);
});

Deno.test("every error is told at once, in the order of the file", async () => {
  assert.deepEqual(
    await errorsOf({
      file: `\
http_port: 70000
drain_seconds: -1
router:
  trusted_proxies: [10.0.0.0/8, 10.0.0.0/99]
hosts:
  - ssl_cert: a.pem
  - { hostname: a, ssl_cert: a.pem }
apis:
  - name: Weather
    servers: [{ host: "http://x", port: 80 }]
log: { level: loud }
workers: 0
base_url: https://example.org/api
kv: redis://portico:hunter2@cache/
contact_url: javascript:alert(1)
analytics: 90
signup: { terms_url: terms.html }
client: [max_calls, 5]
`,
    }),
    [
      "portico.yml:1:12: http_port: must be a whole number from 0 to 65535, found 70000",
      "portico.yml:2:16: drain_seconds: must be a number of seconds from 0 to 3600, found -1",
      'portico.yml:4:33: router.trusted_proxies[1]: must be an IP address or a range such as "10.0.0.0/8", found "10.0.0.0/99"',
      "portico.yml:6:5: hosts[0].hostname: must be given, found nothing",
      "portico.yml:7:5: hosts[1].ssl_cert_key: must be given together with ssl_cert, found nothing",
      "portico.yml:9:5: apis[0].url_matches: must be given, found nothing",
      'portico.yml:10:23: apis[0].servers[0].host: must be in the format of "example.com", found "http://x"',
      'portico.yml:11:15: log.level: must be one of debug, info, warn, error, found "loud"',
      'portico.yml:12:10: workers: must be "auto" or a whole number from 1 to 256, found 0',
      'portico.yml:13:11: base_url: must be an http or https URL without path or query: "https://api.example.org", found "https://example.org/api"',
      'portico.yml:14:5: kv: must be the path of a file, :memory:, or the http or https URL of a KV Connect server, found "redis://…@cache/"',
      'portico.yml:15:14: contact_url: must be an http or https URL, a "mailto:" address, or empty, found "javascript:alert(1)"',
      "portico.yml:16:12: analytics: must be a group of keys, found 90",
      'portico.yml:17:22: signup.terms_url: must be an http or https URL, or empty, found "terms.html"',
      'portico.yml:18:9: client: must be a group of keys, found ["max_calls",5]',
    ],
  );
});

Deno.test("a transition in the file has to say when it began, wherever it stands", async () => {
  const wanting = "must be given with a mode of transition, since the file is not published: a " +
    'time such as "2026-01-31T12:00:00Z", found nothing';
  const transition = "require_https: transition_return_error";
  const backend = `\
apis:
  - name: A
    servers: [{ host: a.example, port: 80 }]
    url_matches: [{ frontend_prefix: / }]
`;
  assert.deepEqual(
    await errorsOf({
      file: `\
default_api_backend_settings: { api_key_verification_level: transition_email }
${backend}    settings: { ${transition} }
    sub_settings:
      - { http_method: any, regex: x, settings: { ${transition} } }
`,
    }),
    [
      `portico.yml:1:31: default_api_backend_settings.api_key_verification_transition_start_at: ${wanting}`,
      `portico.yml:6:15: apis[0].settings.require_https_transition_start_at: ${wanting}`,
      `portico.yml:8:49: apis[0].sub_settings[0].settings.require_https_transition_start_at: ${wanting}`,
    ],
  );
  const given = `${transition}, require_https_transition_start_at: "2030-01-01T00:00:00Z"`;
  const { config } = await load({ file: `${backend}    settings: { ${given} }\n` });
  assert.equal(
    config.apis[0]?.settings.require_https_transition_start_at,
    "2030-01-01T00:00:00.000Z",
  );
});

Deno.test("bans are checked: addresses, expressions, and how long an answer may be held back", async () => {
  const file = `\
ban:
  ips: [10.0.0.0/99]
  user_agents: ["~*(bad"]
  response: { status_code: 200, delay: 61 }
`;
  const [address, expression, status, delay] = await errorsOf({ file });
  assert.match(address ?? "", /^portico.yml:2:9: ban.ips\[0\]: must be an IP address or a range/);
  assert.match(expression ?? "", /^portico.yml:3:17: ban.user_agents\[0\]: has an error at/);
  assert.match(status ?? "", /ban.response.status_code: must be a whole number from 400 to 599/);
  assert.match(delay ?? "", /ban.response.delay: must be a number of seconds from 0 to 60/);
});

Deno.test("rules over several keys blame the one to change", async () => {
  assert.deepEqual(
    await errorsOf({
      file: `\
http_port: 8443
https_port: 8443
hosts:
  - { hostname: a.example.org, default: true }
  - { hostname: A.example.org, default: true }
`,
    }),
    [
      "portico.yml:2:13: https_port: must differ from http_port, found 8443",
      'portico.yml:5:17: hosts[1].hostname: is already taken, found "A.example.org"',
      "portico.yml:5:41: hosts[1].default: is already true for hosts[0]: one host can be the default, found true",
    ],
  );
});

Deno.test("an unknown key is an error with a suggestion and the keys allowed there", async () => {
  assert.deepEqual(
    await errorsOf({
      file: `\
signup:
  term_url: x
hosts:
  - hostname: a
    sslcert: x
log: { format: json }
`,
    }),
    [
      'portico.yml:2:3: signup.term_url: is not a known key, did you mean "terms_url"? Allowed here: limit_per_address_per_hour, terms_url',
      'portico.yml:5:5: hosts[0].sslcert: is not a known key, did you mean "ssl_cert"? Allowed here: hostname, default, ssl_cert, ssl_cert_key, http_strict_transport_security',
      "portico.yml:6:8: log.format: is not a known key. Allowed here: level",
    ],
  );
});

Deno.test("two websites of the file are not for the same host", async () => {
  const site = (host: string) =>
    `  - { frontend_host: ${host}, server_host: a, server_port: 80 }\n`;
  assert.deepEqual(
    await errorsOf({ file: `website_backends:\n${site("a.example")}${site("A.example:80")}` }),
    ['portico.yml:3:22: website_backends[1].frontend_host: is already taken, found "A.example:80"'],
  );
});

Deno.test("a key at the wrong level is told where it belongs", async () => {
  const [error] = await errorsOf({ file: "trusted_proxies: []\n" });
  assert.match(error ?? "", /did you mean "router\.trusted_proxies"\?/);
});

Deno.test("names that every object has are no keys either", async () => {
  const errors = await errorsOf({
    file: "constructor: 1\n__proto__: {http_port: 1}\ntoString: 1\n",
  });
  assert.equal(errors.filter((line) => line.includes("is not a known key")).length, 3);
});

Deno.test("YAML that cannot be read is told with line and column", async () => {
  assert.deepEqual(await errorsOf({ file: 'http_port: 80\nsite_name: "A\n' }), [
    'portico.yml:3:1: is not valid YAML: missing closing "quote',
  ]);
  assert.deepEqual(await errorsOf({ file: "router:\n\ttrusted_proxies: []\n" }), [
    "portico.yml:2:1: is not valid YAML: tabs are not allowed as indentation",
  ]);
});

Deno.test("a key that is set twice is an error", async () => {
  assert.deepEqual(await errorsOf({ file: "http_port: 80\nhttp_port: 81\n" }), [
    "portico.yml:2:1: http_port: is set twice in the same group",
  ]);
});

Deno.test("a file that is no keys and values is told so", async () => {
  assert.deepEqual(await errorsOf({ file: "- http_port\n" }), [
    'portico.yml:1:1: must be keys and values such as "http_port: 8080", found ["http_port"]',
  ]);
});

Deno.test("a key that is no plain text is an error", async () => {
  assert.deepEqual(await errorsOf({ file: "site_name: A\n? [http_port]\n: 80\n" }), [
    "portico.yml:2:3: must have plain text as its key",
  ]);
});

Deno.test("aliases that multiply without end are refused", async () => {
  const levels = "abcdefgh".split("").map((name, index, all) =>
    index === 0
      ? `${name}: &${name} [x, x]`
      : `${name}: &${name} [${"*".concat(all[index - 1]!)}, ${"*".concat(all[index - 1]!)}]`
  );
  const errors = await errorsOf({ file: levels.join("\n") });
  assert.deepEqual(errors, ["portico.yml:1:1: repeats itself too often by aliases"]);
});

Deno.test("no error shows a secret, however the file is broken", async () => {
  const secret = "Sesame0pen";
  const files = [
    `secret_key: ${secret}`,
    `secret_key: [${secret}]`,
    `secret_key: !${secret} x`,
    `secret_key: |${secret}\n`,
    `secret_key: *${secret}`,
    `secret_key: "\\${secret}"`,
    `secret_key: "a" ${secret}`,
    `kv: https://portico:${secret}@/`,
    `web: { admin: { initial_superusers: [{ username: a, password_hash: ${secret} }] } }`,
    `default_api_backend_settings: { headers: [{ key: A, value: "${secret}\\x01." }] }`,
  ];
  for (const file of files) {
    const errors = await errorsOf({ file });
    assert(!errors.join("\n").includes(secret), errors.join("\n"));
  }
  const errors = await errorsOf({ environment: { PORTICO_SECRET_KEY: secret } });
  assert.deepEqual(errors, [
    "PORTICO_SECRET_KEY: secret_key: must be at least 32 characters long; `openssl rand -hex 32` makes one, found a secret of 10 characters",
  ]);
});
