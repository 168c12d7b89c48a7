/** An authority for tests, and servers' certificates that it signs. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import * as der from "../../process/der.ts";

export interface Certified {
  /** PEM */
  readonly cert: string;
  readonly key: string;
}

const ecdsaWithSha256 = der.sequence(der.objectIdentifier("1.2.840.10045.4.3.2"));
const DAY = 86_400_000;

/** Signs certificates for names; `cert` is its own, self-signed. */
export class Authority implements Certified {
  readonly cert: string;
  readonly key: string;
  readonly #name: string;
  readonly #privateKey: KeyObject;

  /** `names`: what a server may be called that shows the authority's own certificate. */
  constructor(name: string, names: readonly string[] = []) {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#name = name;
    this.#privateKey = privateKey;
    this.key = keyPem(privateKey);
    this.cert = this.#sign(name, publicKey, names, true, [-DAY, DAY]);
  }

  /** A server's certificate; `validity` is in ms from now. */
  certify(names: readonly string[], validity: [from: number, to: number] = [-DAY, DAY]): Certified {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const cert = this.#sign(names[0] ?? "", publicKey, names, false, validity);
    return { cert, key: keyPem(privateKey) };
  }

  #sign(
    subject: string,
    publicKey: KeyObject,
    names: readonly string[],
    isAuthority: boolean,
    validity: readonly [from: number, to: number],
  ): string {
    const subjectNames = der.sequence(
      ...names.map((name) => der.tagged(0x82, new TextEncoder().encode(name))),
    );
    const certificate = der.sequence(
      der.tagged(0xa0, der.integer(Uint8Array.of(2))), // version 3
      der.integer(Uint8Array.of(1, ...randomBytes(15))),
      ecdsaWithSha256,
      commonName(this.#name),
      der.sequence(...validity.map((ms) => der.time(new Date(Date.now() + ms)))),
      commonName(subject),
      publicKey.export({ type: "spki", format: "der" }),
      der.tagged(
        0xa3,
        der.sequence(
          extension("2.5.29.19", der.sequence(...(isAuthority ? [der.boolean(true)] : []))),
          ...(names.length > 0 ? [extension("2.5.29.17", subjectNames)] : []),
        ),
      ),
    );
    const signature = der.bitString(sign("sha256", certificate, this.#privateKey));
    const signed = der.sequence(certificate, ecdsaWithSha256, signature);
    return `-----BEGIN CERTIFICATE-----\n${signed.toBase64()}\n-----END CERTIFICATE-----\n`;
  }
}

function commonName(name: string): der.Der {
  return der.sequence(
    der.set(der.sequence(der.objectIdentifier("2.5.4.3"), der.utf8String(name))),
  );
}

function extension(id: string, value: der.Der): der.Der {
  return der.sequence(der.objectIdentifier(id), der.octetString(value));
}

function keyPem(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
