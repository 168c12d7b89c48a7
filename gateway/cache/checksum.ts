/** Tells whether bytes are those that were written: against damage, not against anybody. */

/** 32 bits that stand for `bytes`. */
export function checksum(bytes: Uint8Array): number {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const count = aligned.length >> 2;
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, count);
  let sum = aligned.length;
  for (let at = 0; at < count; at++) sum = mixed(sum, words[at] ?? 0);
  for (let at = count * 4; at < aligned.length; at++) sum = mixed(sum, aligned[at] ?? 0);
  return sum;
}

function mixed(sum: number, word: number): number {
  const product = Math.imul(sum ^ word, 0x9e3779b1);
  return product ^ product >>> 15;
}
