/**
 * How session cookies and admin tokens lie in the store: as SHA-256. They are long
 * and random, so unlike passwords they need no slow hash; whoever reads the store
 * still cannot use them.
 */
import { createHash } from "node:crypto";

/** 32 bytes. */
export function secretHash(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(secret).digest());
}
