/**
 * HalfSipHash-1-3 with 64 bits of output (Aumasson and Bernstein, "SipHash: a fast
 * short-input PRF"): cheap for short texts in 32-bit arithmetic, and under a secret
 * seed nobody can choose texts that fall together.
 */

/** 64 bits, as two 32-bit words. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

export class KeyedHash {
  readonly #seedHigh: number;
  readonly #seedLow: number;
  #words = new Int32Array(64);

  constructor(seed: Hash) {
    this.#seedHigh = seed.high;
    this.#seedLow = seed.low;
  }

  ofText(text: string): Hash {
    const count = (text.length + 1) >> 1;
    if (count > this.#words.length) this.#words = new Int32Array(count);
    for (let word = 0, at = 0; word < count; word++, at += 2) {
      this.#words[word] = text.charCodeAt(at) | text.charCodeAt(at + 1) << 16;
    }
    return this.#hash(this.#words, count, text.length);
  }

  /** Of 32-bit words; never what `ofText` would take for the same bits. */
  ofWords(words: Int32Array): Hash {
    return this.#hash(words, words.length, ~words.length);
  }

  #hash(words: Int32Array, count: number, length: number): Hash {
    let v0 = this.#seedLow, v1 = this.#seedHigh;
    let v2 = 0x6c796765 ^ v0, v3 = 0x74656462 ^ v1;
    let high = 0;
    v1 ^= 0xee;
    // A round a word, one for the length, then three to finish each half of the result.
    for (let step = 0; step < count + 7; step++) {
      const word = step < count ? words[step] ?? 0 : step === count ? length : 0;
      if (step === count + 1) v2 ^= 0xee;
      if (step === count + 4) {
        high = v1 ^ v3;
        v1 ^= 0xdd;
      }
      v3 ^= word;
      v0 = v0 + v1 | 0;
      v1 = (v1 << 5 | v1 >>> 27) ^ v0;
      v0 = v0 << 16 | v0 >>> 16;
      v2 = v2 + v3 | 0;
      v3 = (v3 << 8 | v3 >>> 24) ^ v2;
      v0 = v0 + v3 | 0;
      v3 = (v3 << 7 | v3 >>> 25) ^ v0;
      v2 = v2 + v1 | 0;
      v1 = (v1 << 13 | v1 >>> 19) ^ v2;
      v2 = v2 << 16 | v2 >>> 16;
      v0 ^= word;
    }
    return { high, low: v1 ^ v3 };
  }
}
