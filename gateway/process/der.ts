/**
 * Writes DER (ITU-T X.690), the encoding of certificates: each value is a tag, a
 * length and contents. Only what a self-signed certificate needs.
 */

export type Der = Uint8Array<ArrayBuffer>;

/** A value of any tag. */
export function tagged(tag: number, ...contents: Uint8Array[]): Der {
  const body = joined(contents);
  return joined([Uint8Array.of(tag), lengthOf(body.length), body]);
}

export function sequence(...items: Uint8Array[]): Der {
  return tagged(0x30, ...items);
}

export function set(...items: Uint8Array[]): Der {
  return tagged(0x31, ...items);
}

export function boolean(value: boolean): Der {
  return tagged(0x01, Uint8Array.of(value ? 0xff : 0x00));
}

/** A positive integer from its bytes, the highest first. */
export function integer(bytes: Uint8Array): Der {
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first === -1 ? Uint8Array.of(0) : bytes.subarray(first);
  // The highest bit is the sign.
  const negative = ((significant[0] ?? 0) & 0x80) !== 0;
  return tagged(0x02, ...(negative ? [Uint8Array.of(0)] : []), significant);
}

/** Bits in whole bytes; the last `unused` bits do not count. */
export function bitString(bytes: Uint8Array, unused = 0): Der {
  return tagged(0x03, Uint8Array.of(unused), bytes);
}

export function octetString(bytes: Uint8Array): Der {
  return tagged(0x04, bytes);
}

export function utf8String(text: string): Der {
  return tagged(0x0c, new TextEncoder().encode(text));
}

/** `1.2.840.10045.4.3.2`. */
export function objectIdentifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return tagged(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** To the second, in UTC; two digits of the year up to 2049 (RFC 5280 §4.1.2.5). */
export function time(date: Date): Der {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, "");
  const short = date.getUTCFullYear() < 2050;
  return tagged(short ? 0x17 : 0x18, new TextEncoder().encode(short ? digits.slice(2) : digits));
}

/** Seven bits a byte, the highest first; all but the last have their top bit set. */
function base128(number: number): number[] {
  const low = number & 0x7f;
  const high = Math.floor(number / 128);
  return high === 0 ? [low] : [...base128(high).map((byte) => byte | 0x80), low];
}

function lengthOf(length: number): Der {
  if (length < 0x80) return Uint8Array.of(length);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Uint8Array.of(0x80 | bytes.length, ...bytes);
}

function joined(parts: readonly Uint8Array[]): Der {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
