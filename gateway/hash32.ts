/**
 * 32-bit hashes of short texts: cheap, the same in every isolate and after every
 * restart. Anybody can find texts that fall together, so where callers would gain by
 * that, `limit/keyed_hash.ts` is used.
 */

/** 32 bits that stand for `text` (FNV-1a, then mixed). */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return mixed32(hash);
}

/** Spreads the difference of one bit over all 32 (the end of MurmurHash3). */
export function mixed32(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
