/** Certificates that a record holds, as text in PEM (RFC 7468). */
import * as v from "valibot";
import { X509Certificate } from "node:crypto";
import { text } from "./fields.ts";

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[^-]*-----END \1-----/g;

/** One certificate or several; empty text stands for none. */
export const certificates = v.pipe(
  text(32_768),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const message = problemOf(dataset.value);
    if (message !== null) addIssue({ message });
  }),
  v.transform((pem) => pem === "" ? null : pem),
);

function problemOf(pem: string): string | null {
  if (pem === "") return null;
  if (pem.includes("PRIVATE KEY-----")) return "holds a private key: only certificates belong here";
  const blocks = [...pem.matchAll(BLOCK)];
  const isCertificate = ([, label]: RegExpMatchArray) => label === "CERTIFICATE";
  if (blocks.length === 0 || !blocks.every(isCertificate)) {
    return 'must be certificates in PEM, each from "-----BEGIN CERTIFICATE-----" to its end';
  }
  const broken = blocks.findIndex(([block]) => !isReadable(block));
  return broken === -1 ? null : `certificate ${broken + 1} cannot be read`;
}

function isReadable(block: string): boolean {
  try {
    new X509Certificate(block);
    return true;
  } catch {
    return false;
  }
}
