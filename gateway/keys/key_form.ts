/**
 * The form of a key that people handle: a prefix that says what it is, random
 * base62 characters, and 6 more that spell the CRC-32 of what precedes. A mistyped
 * or invented key is told apart without looking anything up, and a leaked one is
 * found by scanners.
 */

const CHECKSUM_LENGTH = 6;
const PREVIEW_RANDOM_LENGTH = 6;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = ALPHABET.length;
/** The largest multiple of 62 in a byte: random bytes from here on would favour some characters. */
const FAIR_BYTES = 256 - 256 % BASE;
const NO_DIGIT = 0xff;

/** Value of each ASCII character as a base62 digit. */
const digits = new Uint8Array(128).fill(NO_DIGIT);
for (let value = 0; value < BASE; value++) digits[ALPHABET.charCodeAt(value)] = value;

/** CRC-32 of each byte: reflected polynomial of ISO 3309, as in gzip (RFC 1952 §8). */
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

export class KeyForm {
  readonly #prefix: string;
  /** Characters that the checksum is made of: prefix and random ones. */
  readonly #checkedLength: number;
  readonly #length: number;

  /** `prefix` in ASCII; every random character is worth 5.95 bits. */
  constructor(prefix: string, randomLength: number) {
    this.#prefix = prefix;
    this.#checkedLength = prefix.length + randomLength;
    this.#length = this.#checkedLength + CHECKSUM_LENGTH;
  }

  /** A new key. */
  generate(): string {
    let key = this.#prefix;
    const random = new Uint8Array(2 * this.#length);
    while (key.length < this.#checkedLength) {
      for (const byte of crypto.getRandomValues(random)) {
        if (byte < FAIR_BYTES && key.length < this.#checkedLength) key += ALPHABET[byte % BASE];
      }
    }
    return key + checksumText(checksum(key, this.#checkedLength));
  }

  /** Whether `key` could have been made here. On the hot path: allocates nothing. */
  isWellFormed(key: string): boolean {
    if (key.length !== this.#length || !key.startsWith(this.#prefix)) return false;
    for (let at = this.#prefix.length; at < this.#length; at++) {
      if (digitAt(key, at) === NO_DIGIT) return false;
    }
    let spelled = 0; // up to 62^6, exact in a double
    for (let at = this.#checkedLength; at < this.#length; at++) {
      spelled = spelled * BASE + digitAt(key, at);
    }
    return spelled === checksum(key, this.#checkedLength);
  }

  /** The part of a key that may be shown, to tell keys apart: `ptk_a1B2c3`. */
  preview(key: string): string {
    return key.slice(0, this.#prefix.length + PREVIEW_RANDOM_LENGTH);
  }
}

function digitAt(key: string, at: number): number {
  return digits[key.charCodeAt(at)] ?? NO_DIGIT;
}

/** CRC-32 over the first `length` characters, all of them ASCII. */
function checksum(key: string, length: number): number {
  let crc = 0xffffffff;
  for (let at = 0; at < length; at++) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ key.charCodeAt(at)) & 0xff] ?? 0);
  }
  return ~crc >>> 0;
}

function checksumText(crc: number): string {
  let text = "";
  for (let rest = crc; text.length < CHECKSUM_LENGTH; rest = Math.floor(rest / BASE)) {
    text = ALPHABET[rest % BASE] + text;
  }
  return text;
}
