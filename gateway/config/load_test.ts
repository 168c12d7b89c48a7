import assert from "node:assert/strict";
import { join } from "node:path";
import { defaultConfiguration } from "./configuration.ts";
import { loadConfiguration } from "./load.ts";
import { ConfigurationError } from "./problems.ts";
import { errorsOf, load, temporaryFolder } from "./testing.ts";

Deno.test("without a file and variables the defaults hold", async () => {
  const { config, file } = await load({});
  assert.equal(file, null);
  assert.deepEqual(config, { ...defaultConfiguration, kv: "/opt/portico/data/portico.kv" });
});

Deno.test("an empty file, or one of comments, is the defaults", async () => {
  for (const file of ["", "# nothing yet\n", "---\n"]) {
    assert.equal((await load({ file })).config.http_port, 8080);
  }
});

Deno.test("keys of the file replace the defaults, groups key by key, lists whole", async () => {
  const { config } = await load({
    file: "upstream:\n  read_timeout_seconds: 5\nlisten:\n  addresses: [127.0.0.1]\n",
  });
  assert.deepEqual(config.upstream, {
    connect_timeout_seconds: 30,
    read_timeout_seconds: 5,
    send_timeout_seconds: 60,
    total_timeout_seconds: null,
    dns_max_age_seconds: 30,
  });
  assert.deepEqual(config.listen.addresses, ["127.0.0.1"]);
});

Deno.test("a key without a value keeps its default", async () => {
  const { config } = await load({ file: "router:\n  # trusted_proxies: []\nhttp_port:\n" });
  assert.deepEqual(config.router.trusted_proxies, []);
  assert.equal(config.http_port, 8080);
});

Deno.test("what is loaded cannot be changed", async () => {
  const { config } = await load({ file: "listen: {addresses: [127.0.0.1]}" });
  assert.throws(() => config.listen.addresses.push("::1"), TypeError);
});

Deno.test("--config comes before $PORTICO_CONFIG, which comes before the system's file", async () => {
  await using folder = await temporaryFolder();
  const named = (name: string) => {
    const path = join(folder.path, `${name}.yml`);
    Deno.writeTextFileSync(path, `site_name: ${name}\n`);
    return path;
  };
  const [option, variable, system] = [named("option"), named("variable"), named("system")];
  const surroundings = { projectFolder: "/opt/portico", systemFile: system, environment: {} };
  const environment = { PORTICO_CONFIG: variable };

  const load = (args: string[], environment: Record<string, string>) =>
    loadConfiguration(args, { ...surroundings, environment });
  assert.equal(load(["--config", option], environment).config.site_name, "option");
  assert.equal(load([`--config=${option}`], environment).config.site_name, "option");
  assert.equal(load([], environment).config.site_name, "variable");
  assert.equal(load([], { PORTICO_CONFIG: "" }).config.site_name, "system");
  assert.equal(load([], {}).file, system);
});

Deno.test("a file that is named must be there; nothing else is read in its place", () => {
  assert.throws(
    () =>
      loadConfiguration(["--config", "/nonexistent/portico.yml"], {
        environment: {},
        projectFolder: "/opt/portico",
        systemFile: "/nonexistent/system.yml",
      }),
    new ConfigurationError([{
      place: "/nonexistent/portico.yml",
      key: "",
      message: "cannot be read: there is no such file",
    }]),
  );
});

Deno.test("a folder in place of the file is told as such", async () => {
  await using folder = await temporaryFolder();
  assert.throws(
    () => loadConfiguration(["--config", folder.path]),
    /cannot be read: it is a folder/,
  );
});

Deno.test("the command line knows --config and nothing else", () => {
  assert.throws(() => loadConfiguration(["--port", "80"]), {
    message: 'command line: "--port" is unknown; the one option is --config PATH',
  });
  assert.throws(() => loadConfiguration(["--config"]), {
    message: "command line: --config needs the path of a file",
  });
});

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
router:
  trusted_proxy: [10.0.0.1]
hosts:
  - hostname: a
    sslcert: x
log: { format: json }
`,
    }),
    [
      'portico.yml:2:3: router.trusted_proxy: is not a known key, did you mean "trusted_proxies"? Allowed here: trusted_proxies',
      'portico.yml:5:5: hosts[0].sslcert: is not a known key, did you mean "ssl_cert"? Allowed here: hostname, default, ssl_cert, ssl_cert_key',
      "portico.yml:6:8: log.format: is not a known key. Allowed here: level",
    ],
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
      'PORTICO_HOSTS: hosts[0].hostnam: is not a known key, did you mean "hostname"? Allowed here: hostname, default, ssl_cert, ssl_cert_key',
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

Deno.test("each value tells where it comes from", async () => {
  const { source } = await load({
    file: "site_name: A\nupstream:\n  read_timeout_seconds: 5\n",
    environment: { PORTICO_HTTP_PORT: "9000" },
  });
  assert.match(source(["site_name"]), /portico\.yml:1:1$/);
  assert.match(source(["upstream", "read_timeout_seconds"]), /portico\.yml:3:3$/);
  assert.equal(source(["upstream", "send_timeout_seconds"]), "default");
  assert.equal(source(["http_port"]), "PORTICO_HTTP_PORT");
});

Deno.test("paths become absolute: the store's from the project, certificates' from the file", async () => {
  const { config, file } = await load({
    file: `\
kv: ../store/portico.kv
hosts:
  - { hostname: a, ssl_cert: tls/a.pem, ssl_cert_key: /etc/ssl/a.key }
`,
  });
  assert.equal(config.kv, "/opt/store/portico.kv");
  assert.equal(config.hosts[0]?.ssl_cert, join(file ?? "", "../tls/a.pem"));
  assert.equal(config.hosts[0]?.ssl_cert_key, "/etc/ssl/a.key");
});

Deno.test("memory and KV Connect servers are no paths", async () => {
  assert.equal((await load({ file: "kv: ':memory:'" })).config.kv, ":memory:");
  const url = "https://kv.example.org:4512";
  const environment = { DENO_KV_ACCESS_TOKEN: "t" };
  assert.equal((await load({ file: `kv: ${url}`, environment })).config.kv, url);
});

Deno.test("a KV Connect server needs its token in the environment", async () => {
  assert.deepEqual(await errorsOf({ file: "kv: https://kv.example.org\n" }), [
    "portico.yml:1:5: kv: is a KV Connect server, which needs its token in the environment variable DENO_KV_ACCESS_TOKEN, found none",
  ]);
});

Deno.test("backends refuse plain HTTP by default where there is HTTPS, and only there", async () => {
  const requireHttps = async (file: string) =>
    (await load({ file })).config.default_api_backend_settings.require_https;
  assert.equal(await requireHttps(""), "optional");
  assert.equal(await requireHttps("https_port: 8443"), "required_return_error");
  const chosen = "https_port: 8443\ndefault_api_backend_settings: { require_https: optional }";
  assert.equal(await requireHttps(chosen), "optional");
});

Deno.test("a superuser is a user name, or a user name with a bcrypt hash", async () => {
  const hash = `$2b$12$${"a".repeat(53)}`;
  const { config } = await load({
    file: `\
web:
  admin:
    initial_superusers:
      - Ada@example.org
      - { username: grace, password_hash: ${hash} }
`,
  });
  assert.deepEqual(config.web.admin.initial_superusers, [
    { username: "ada@example.org", password_hash: null },
    { username: "grace", password_hash: hash },
  ]);
});

Deno.test("the last slash of base_url is dropped", async () => {
  const { config } = await load({ file: "base_url: https://api.example.org/\n" });
  assert.equal(config.base_url, "https://api.example.org");
});
