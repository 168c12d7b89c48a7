/**
 * How servers come to read a path or query that goes to them byte for byte. Rules hold for
 * these readings too, so that no other spelling leads past them.
 */
import { printable } from "./target.ts";

/** Two slashes are one to most servers, so they must not slip past a rule for one. */
export function withSingleSlashes(path: string): string {
  return path.includes("//") ? path.replace(/\/{2,}/g, "/") : path;
}

/** Escapes, but for those of marks that divide a target or begin an escape: `#`, `%`, `/`, `?`, `\`. */
const ESCAPES = /(?:%(?!2[35F]|3F|5C)[2-9A-F][0-9A-F])+/gi;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * An escape is the character that it stands for, so `/things%3Adelete` must not slip past
 * a rule for `/things:delete`, nor `?%64ebug` past one for `?debug`.
 */
export function withoutEscapes(target: string): string {
  return target.includes("%") ? target.replace(ESCAPES, decoded) : target;
}

/** What a run of escapes stands for. A decoder is slow to call, and most runs are one of ASCII. */
function decoded(escapes: string): string {
  const byte = escapes.length === "%41".length ? Number.parseInt(escapes.slice(1), 16) : 0xff;
  return byte < 0x80
    ? String.fromCharCode(byte)
    : utf8.decode(Uint8Array.fromHex(escapes.replaceAll("%", "")));
}

/** What has a second reading at all. */
const AMBIGUOUS = /\/\/|[^\x21-\x24\x26-\x3a\x3c-\x5b\x5d-\x7e]/;

/**
 * The path as the most lenient of servers reads it, spelt as canonical prefixes are: runs
 * of slashes, escaped and reversed ones among them, are one slash, and segments have no
 * parameters (`;x=1`).
 */
export function leniently(path: string): string {
  if (!AMBIGUOUS.test(path)) return path;
  const slashed = withoutEscapes(path).replace(/%2f|%5c|\\/gi, "/").replace(/;[^/]*/g, "");
  return printable(withSingleSlashes(slashed));
}
