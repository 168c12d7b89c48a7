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

Deno.test("a backend of the file may ask for an exact match, by its own key alone", async () => {
  const { config } = await load({
    file: `\
apis:
  - name: Status
    servers: [{ host: a, port: 80 }]
    url_matches:
      - { frontend_prefix: /status, exact_match: true }
      - { frontend_prefix: /v1/ }
`,
  });
  assert.deepEqual(config.apis[0]?.url_matches, [
    { frontend_prefix: "/status", backend_prefix: "/status", exact_match: true },
    { frontend_prefix: "/v1/", backend_prefix: "/v1/" },
  ]);
});
