/**
 * The certificates that HTTPS is served with: each host's own, and one for all others.
 * That is the default host's, else that of the first host that has one, else one made
 * here and kept with the data.
 */
import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Configuration } from "../config/configuration.ts";
import { unreadable } from "../config/load.ts";
import { ConfigurationError, type Problem } from "../config/problems.ts";
import { dataFolder } from "../config/store_location.ts";
import { keptCertificate } from "./kept_certificate.ts";
import type { Logger } from "./logger.ts";
import type { Certificate } from "./self_signed.ts";

export type { Certificate };

type Host = Configuration["hosts"][number];

interface HostCertificate {
  readonly host: Host;
  readonly certificate: Certificate;
  /** Those it is for. */
  readonly names: readonly string[];
  readonly expires: Date;
}

/** What a client gets, by the host that it asks for (SNI, RFC 6066 §3). */
export interface HttpsCertificates {
  /** For hosts that have none of their own, and for clients that name no host. */
  readonly fallback: Certificate;
  /** Hosts, also by patterns, that clients may well ask for though they have none of their own. */
  readonly fallbackHosts: readonly string[];
  /** Empty where one certificate is for all. */
  readonly byHost: readonly {
    readonly hostname: string;
    readonly certificate: Certificate;
  }[];
}

/**
 * The certificates to serve at the time `now`. Throws a `ConfigurationError` that names
 * host and file when one of them will not do.
 */
export function httpsCertificates(
  config: Configuration,
  log: Logger,
  now: Date = new Date(),
): HttpsCertificates {
  const given = hostCertificates(config);
  const first = given.find(({ host }) => host.default) ?? given[0];
  if (first === undefined) {
    return forAll(keptCertificate(dataFolder(config.kv), config.hosts, log, now));
  }
  for (const { host, expires } of given) {
    if (expires >= now) continue;
    const expired = { host: host.hostname, expired: expires.toISOString() };
    log.warn("the certificate has expired", expired);
  }
  const fallback = first.certificate;
  if (given.every(({ certificate }) => certificate.cert === fallback.cert)) return forAll(fallback);
  const byHost = given.map(({ host: { hostname }, certificate }) => ({ hostname, certificate }));
  const others = config.hosts.filter((host) =>
    host.hostname !== "*" && given.every((one) => one.host !== host)
  );
  const fallbackHosts = [...others.map(({ hostname }) => hostname), ...first.names];
  return { fallback, fallbackHosts, byHost };
}

function forAll(fallback: Certificate): HttpsCertificates {
  return { fallback, fallbackHosts: [], byHost: [] };
}

/**
 * The certificates of all hosts that name one. Throws a `ConfigurationError` with
 * everything that is wrong with their files.
 */
export function hostCertificates(config: Configuration): readonly HostCertificate[] {
  const problems: Problem[] = [];
  const certificates = config.hosts.flatMap((host, index) => {
    const blame = (key: "ssl_cert" | "ssl_cert_key", message: string) => {
      const place = host[key] ?? "";
      problems.push({ place, key: `hosts[${index}].${key} (${host.hostname})`, message });
    };
    return certificateOf(host, blame) ?? [];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  return certificates;
}

function certificateOf(
  host: Host,
  blame: (key: "ssl_cert" | "ssl_cert_key", message: string) => void,
): HostCertificate | null {
  if (host.ssl_cert === null || host.ssl_cert_key === null) return null;
  const cert = readPem(host.ssl_cert, "a certificate", (pem) => new X509Certificate(pem));
  const key = readPem(host.ssl_cert_key, "a private key without a passphrase", createPrivateKey);
  if (!cert.ok) blame("ssl_cert", cert.message);
  if (!key.ok) blame("ssl_cert_key", key.message);
  if (!cert.ok || !key.ok) return null;
  if (!cert.value.checkPrivateKey(key.value)) {
    blame("ssl_cert_key", `is not the private key of the certificate in ${host.ssl_cert}`);
    return null;
  }
  return {
    host,
    certificate: { cert: cert.pem, key: key.pem },
    names: namesOf(cert.value),
    expires: new Date(cert.value.validTo),
  };
}

function namesOf({ subjectAltName = "" }: X509Certificate): string[] {
  return Array.from(subjectAltName.matchAll(/(?:^|, )DNS:([^,]+)/g), ([, name = ""]) => name);
}

type Pem<T> =
  | { readonly ok: true; readonly pem: string; readonly value: T }
  | { readonly ok: false; readonly message: string };

function readPem<T>(file: string, what: string, parse: (pem: string) => T): Pem<T> {
  let pem: string;
  try {
    pem = Deno.readTextFileSync(file);
  } catch (error) {
    return { ok: false, message: unreadable(error) };
  }
  try {
    return { ok: true, pem, value: parse(pem) };
  } catch {
    // The parser's own words are of no use and could quote the key.
    return { ok: false, message: `must hold ${what}, in PEM` };
  }
}
