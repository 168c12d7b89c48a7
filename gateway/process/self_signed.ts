/**
 * Makes the certificate that HTTPS starts with when nobody has given one: signed by
 * its own key (ECDSA on P-256), for a few names and addresses (RFC 5280).
 */
import ipaddr from "ipaddr.js";
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import * as der from "./der.ts";

/** A certificate chain and its private key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const ecdsaWithSha256 = der.sequence(der.objectIdentifier("1.2.840.10045.4.3.2"));

/** A certificate for `names` (host names and IP addresses), good for `days` from `now`. */
export function selfSigned(names: readonly string[], now: Date, days: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issuer = commonName("Portico, self-signed");
  const certificate = der.sequence(
    der.tagged(0xa0, der.integer(Uint8Array.of(2))), // version 3
    der.integer(serialNumber()),
    ecdsaWithSha256,
    issuer,
    der.sequence(der.time(now), der.time(new Date(now.getTime() + days * 86_400_000))),
    issuer,
    publicKey.export({ type: "spki", format: "der" }),
    der.tagged(
      0xa3,
      der.sequence(
        extension("2.5.29.19", true, der.sequence()), // basic constraints: no authority
        extension("2.5.29.15", true, der.bitString(Uint8Array.of(0x80), 7)), // digital signature
        extension("2.5.29.37", false, der.sequence(der.objectIdentifier("1.3.6.1.5.5.7.3.1"))),
        extension("2.5.29.17", false, der.sequence(...names.map(subjectName))),
      ),
    ),
  );
  const signed = der.sequence(
    certificate,
    ecdsaWithSha256,
    der.bitString(sign("sha256", certificate, privateKey)),
  );
  return {
    cert: pem("CERTIFICATE", signed),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** 128 random bits; the top ones say that it is positive and as long as it looks. */
function serialNumber(): Uint8Array {
  const bytes = Uint8Array.from(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

function commonName(name: string): der.Der {
  const attribute = der.sequence(der.objectIdentifier("2.5.4.3"), der.utf8String(name));
  return der.sequence(der.set(attribute));
}

function extension(id: string, critical: boolean, value: der.Der): der.Der {
  const flag = critical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(id), ...flag, der.octetString(value));
}

/** A GeneralName: the tags of dNSName and iPAddress are 2 and 7 (RFC 5280 §4.2.1.6). */
function subjectName(name: string): der.Der {
  if (ipaddr.isValid(name)) {
    return der.tagged(0x87, Uint8Array.from(ipaddr.parse(name).toByteArray()));
  }
  return der.tagged(0x82, new TextEncoder().encode(name));
}

function pem(label: string, bytes: Uint8Array<ArrayBuffer>): string {
  const lines = bytes.toBase64().match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
