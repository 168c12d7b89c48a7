/**
 * The one-time code with which somebody who is not at the machine itself may
 * create the first admin: printed at start, 80 random bits, never stored.
 */
import { timingSafeEqual } from "node:crypto";
import { secretHash } from "./secret_hash.ts";

/** 32 letters and digits that nobody mistakes for one another: no 0, 1, I, O. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** A new code such as `7KQM-2XHA-P9RC-WD4E`. */
export function newSetupCode(): string {
  const letters = Array.from(
    crypto.getRandomValues(new Uint8Array(16)),
    (byte) => ALPHABET.charAt(byte & 31),
  ).join("");
  return letters.replace(/(.{4})(?!$)/g, "$1-");
}

/** Whether what was typed is the code; case, spaces and dashes do not matter. */
export function isSetupCode(typed: string, code: string): boolean {
  // Hashes are equally long for every input, which `timingSafeEqual` asks for.
  return timingSafeEqual(secretHash(lettersOf(typed)), secretHash(lettersOf(code)));
}

function lettersOf(code: string): string {
  return code.toUpperCase().replace(/[\s-]/g, "");
}
