import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { join } from "node:path";
import { type Configuration, defaultConfiguration } from "../config/configuration.ts";
import { ConfigurationError } from "../config/problems.ts";
import { temporaryFolder } from "../config/testing.ts";
import { httpsCertificates } from "./certificates.ts";
import { createLog } from "./logger.ts";
import { type Certificate, selfSigned } from "./self_signed.ts";

const now = new Date("2026-05-01T00:00:00Z");
const DAY = 86_400_000; // ms

function logged() {
  const lines: string[] = [];
  const log = createLog({ level: "info", terminal: true, write: (line) => lines.push(line) });
  return { log, lines };
}

async function withFiles(files: Record<string, string>) {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder.path, name), text);
  }
  const config = (hosts: Partial<Configuration["hosts"][number]>[]): Configuration => ({
    ...defaultConfiguration,
    kv: join(folder.path, "data", "portico.kv"),
    hosts: hosts.map((host) => ({
      hostname: "a.example.org",
      default: false,
      http_strict_transport_security: null,
      ...host,
      ssl_cert: host.ssl_cert ? join(folder.path, host.ssl_cert) : null,
      ssl_cert_key: host.ssl_cert_key ? join(folder.path, host.ssl_cert_key) : null,
    })),
  });
  return { ...folder, config, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

const pairs = (pair: Certificate, name: string) => ({
  [`${name}.pem`]: pair.cert,
  [`${name}.key`]: pair.key,
});
const [a, b] = [selfSigned(["a.example.org"], now, 90), selfSigned(["b.example.org"], now, 90)];
const tls = (name: string) => ({ ssl_cert: `${name}.pem`, ssl_cert_key: `${name}.key` });

Deno.test("each host has its own certificate, and the default host's is for all others", async () => {
  await using files = await withFiles({ ...pairs(a, "a"), ...pairs(b, "b") });
  const config = files.config([
    { hostname: "a.example.org", ...tls("a") },
    { hostname: "b.example.org", default: true, ...tls("b") },
    { hostname: "c.example.org" },
  ]);
  assert.deepEqual(httpsCertificates(config, logged().log, now), {
    fallback: b,
    fallbackHosts: ["c.example.org", "b.example.org"],
    byHost: [
      { hostname: "a.example.org", certificate: a },
      { hostname: "b.example.org", certificate: b },
    ],
  });
});

Deno.test("hosts that share one certificate need no choice", async () => {
  await using files = await withFiles(pairs(a, "a"));
  const config = files.config([tls("a"), { hostname: "b.example.org", ...tls("a") }]);
  assert.deepEqual(httpsCertificates(config, logged().log, now), {
    fallback: a,
    fallbackHosts: [],
    byHost: [],
  });
});

Deno.test("without a default host that has one, it is the first host's that has one", async () => {
  await using files = await withFiles(pairs(b, "b"));
  const config = files.config([
    { hostname: "a.example.org", default: true },
    { hostname: "b.example.org", ...tls("b") },
  ]);
  assert.deepEqual(httpsCertificates(config, logged().log, now), {
    fallback: b,
    fallbackHosts: [],
    byHost: [],
  });
});

Deno.test("a certificate that has expired is served, with a warning", async () => {
  await using files = await withFiles(pairs(a, "a"));
  const { log, lines } = logged();
  const config = files.config([tls("a")]);
  httpsCertificates(config, log, new Date(now.getTime() + 91 * DAY));
  assert.match(lines.join("\n"), /the certificate has expired host=a\.example\.org/);
});

Deno.test("everything wrong with the files of hosts is told, with host and file", async () => {
  await using files = await withFiles({
    ...pairs(a, "a"),
    ...pairs(b, "b"),
    "no.pem": "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    "no.key": "hunter2",
  });
  const config = files.config([
    { hostname: "a.example.org", ssl_cert: "a.pem", ssl_cert_key: "b.key" },
    { hostname: "b.example.org", ssl_cert: "no.pem", ssl_cert_key: "no.key" },
    { hostname: "c.example.org", ssl_cert: "absent.pem", ssl_cert_key: "b.key" },
  ]);
  const path = (name: string) => join(files.path, name);
  assert.throws(() => httpsCertificates(config, logged().log, now), (error) => {
    assert(error instanceof ConfigurationError);
    assert.deepEqual(error.message.split("\n"), [
      `${
        path("b.key")
      }: hosts[0].ssl_cert_key (a.example.org): is not the private key of the certificate in ${
        path("a.pem")
      }`,
      `${path("no.pem")}: hosts[1].ssl_cert (b.example.org): must hold a certificate, in PEM`,
      `${
        path("no.key")
      }: hosts[1].ssl_cert_key (b.example.org): must hold a private key without a passphrase, in PEM`,
      `${
        path("absent.pem")
      }: hosts[2].ssl_cert (c.example.org): cannot be read: there is no such file`,
    ]);
    return true;
  });
});

Deno.test("without one a certificate is made for this machine and the hosts, for this user alone", async () => {
  await using files = await withFiles({});
  const hostnames = ["API.example.org", ".example.com", "*", "[2001:db8:0::1]:8443"];
  const config = files.config(hostnames.map((hostname) => ({ hostname })));
  const { cert } = httpsCertificates(config, logged().log, now).fallback;
  assert.equal(
    new X509Certificate(cert).subjectAltName,
    "DNS:localhost, IP Address:127.0.0.1, IP Address:::1, DNS:api.example.org, " +
      "DNS:example.com, DNS:*.example.com, IP Address:2001:db8::1",
  );
  const { mode } = await Deno.stat(join(files.path, "data", "self_signed.pem"));
  assert.equal((mode ?? 0) & 0o777, 0o600);
});

Deno.test("the certificate that was made is kept for the next start", async () => {
  await using files = await withFiles({});
  const config = files.config([]);
  const first = httpsCertificates(config, logged().log, now);
  assert.deepEqual(
    httpsCertificates(config, logged().log, new Date(now.getTime() + 300 * DAY)),
    first,
  );
});

Deno.test("it is made anew when it ends, when a host is added and when its file is damaged", async () => {
  await using files = await withFiles({});
  const made = (hosts: { hostname: string }[], at: Date) =>
    httpsCertificates(files.config(hosts), logged().log, at).fallback.cert;
  const first = made([], now);

  const renewed = made([], new Date(now.getTime() + 800 * DAY));
  assert.notEqual(renewed, first);

  const withHost = made([{ hostname: "a.example.org" }], new Date(now.getTime() + 800 * DAY));
  assert.match(new X509Certificate(withHost).subjectAltName ?? "", /a\.example\.org/);

  const file = join(files.path, "data", "self_signed.pem");
  const whole = await Deno.readTextFile(file);
  for (const damaged of ["", "x", whole.slice(0, -60), whole.slice(60)]) {
    await Deno.writeTextFile(file, damaged);
    assert.notEqual(made([], now), withHost);
    assert.equal(made([], now), made([], now));
  }
});

Deno.test("with the store in memory a certificate is made and not kept", async () => {
  await using files = await withFiles({});
  const config = { ...files.config([]), kv: ":memory:" };
  const [first, second] = [0, 1].map(() =>
    httpsCertificates(config, logged().log, now).fallback.cert
  );
  assert.notEqual(first, second);
  assert.deepEqual([...Deno.readDirSync(files.path)], []);
});
