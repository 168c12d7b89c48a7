/**
 * The self-signed certificate, made at the first start with HTTPS and kept with the
 * data, so that whoever has accepted it once is not asked again at every restart.
 */
import ipaddr from "ipaddr.js";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { dirname, join } from "node:path";
import type { Configuration } from "../config/configuration.ts";
import type { Logger } from "./logger.ts";
import { type Certificate, selfSigned } from "./self_signed.ts";

const FILE_NAME = "self_signed.pem";
const VALID_DAYS = 825; // the most that clients of today take
const RENEW_DAYS_BEFORE_END = 30;
const DAY = 86_400_000; // ms
const LOCAL_NAMES = ["localhost", "127.0.0.1", "::1"];

/**
 * The certificate kept in `folder` if it is good for the hosts and a month more at
 * least, else a new one, which is kept there for this user alone. A null folder keeps
 * nothing: the store is in memory or on another server.
 */
export function keptCertificate(
  folder: string | null,
  hosts: Configuration["hosts"],
  log: Logger,
  now: Date,
): Certificate {
  const names = certificateNames(hosts);
  const file = folder === null ? null : join(folder, FILE_NAME);
  const kept = file === null ? null : read(file);
  if (kept !== null && isGood(kept, names, now)) return kept;

  // From a day ago: not every client's clock is right.
  const made = selfSigned(names, new Date(now.getTime() - DAY), VALID_DAYS);
  if (file !== null) keep(file, made);
  log.info("made a self-signed certificate, which browsers warn of: see hosts[].ssl_cert", {
    names,
    file,
  });
  return made;
}

/** This machine and the hosts; `.example.org` is the domain and all below it. */
function certificateNames(hosts: Configuration["hosts"]): string[] {
  const names = hosts.flatMap(({ hostname }) => {
    const name = withoutPort(hostname.toLowerCase());
    if (name === "*") return [];
    return name.startsWith(".") ? [name.slice(1), `*${name}`] : [name];
  });
  return [...new Set([...LOCAL_NAMES, ...names])];
}

function withoutPort(name: string): string {
  const bare = ipaddr.isValid(name) ? name : name.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(bare) ? ipaddr.parse(bare).toString() : bare;
}

function read(file: string): Certificate | null {
  try {
    const pem = Deno.readTextFileSync(file);
    const [cert, key] = pem.split(/(?=-----BEGIN PRIVATE KEY-----)/);
    return cert === undefined || key === undefined ? null : { cert, key };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function isGood({ cert, key }: Certificate, names: readonly string[], now: Date): boolean {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(cert);
    if (!certificate.checkPrivateKey(createPrivateKey(key))) return false;
  } catch {
    return false; // Somebody else's file or half a file: a new one takes its place.
  }
  const [start, end] = [certificate.validFrom, certificate.validTo].map(Date.parse);
  const covered = (certificate.subjectAltName ?? "").split(", ")
    .map((name) => name.replace(/^(DNS|IP Address):/, ""));
  return start !== undefined && end !== undefined && start <= now.getTime() &&
    end - now.getTime() > RENEW_DAYS_BEFORE_END * DAY &&
    names.every((name) => covered.includes(name));
}

/** Certificate and key go into one file in one step, so that no crash parts them. */
function keep(file: string, { cert, key }: Certificate): void {
  Deno.mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.new`;
  Deno.writeTextFileSync(draft, cert + key, { mode: 0o600 });
  Deno.renameSync(draft, file);
}
