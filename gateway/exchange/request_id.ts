/**
 * Request ids: 20 lower-case letters and digits, as API Umbrella's. Unique and
 * unguessable enough to find one call in the log; they protect nothing.
 */
const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const LENGTH = 20;
const random = new Uint8Array(LENGTH * 200);
let used = random.length;

/** A new id; random bytes are drawn for 200 ids at a time, which is far cheaper. */
export function newRequestId(): string {
  if (used === random.length) {
    crypto.getRandomValues(random);
    used = 0;
  }
  let id = "";
  for (const end = used + LENGTH; used < end; used++) {
    id += ALPHABET.charAt((random[used] ?? 0) & 31);
  }
  return id;
}
