/**
 * A set of fingerprints (the first 64 bits of key hashes) that costs 8 bytes a
 * slot and no object a key: a million keys take 16 MiB. Open addressing with
 * linear probing; hashes are random already, so their bits serve as the slot.
 */

/** Slots that may be taken before the table grows. */
const LOAD_MAX = 0.7;
const SLOTS_MIN = 1024;

export class FingerprintSet {
  /** Two words a slot; both zero: the slot is free. */
  #words: Uint32Array;
  #mask: number;
  #size = 0;

  /** With room for `expected` fingerprints before it grows. */
  constructor(expected = 0) {
    const slots = Math.max(SLOTS_MIN, 2 ** Math.ceil(Math.log2((expected + 1) / LOAD_MAX)));
    this.#words = new Uint32Array(2 * slots);
    this.#mask = slots - 1;
  }

  get size(): number {
    return this.#size;
  }

  /** Takes a whole hash or its first 8 bytes, as all methods do. */
  has(hash: Uint8Array): boolean {
    return !this.#isFree(this.#slotOf(highWord(hash), lowWord(hash)));
  }

  add(hash: Uint8Array): void {
    if (this.#size >= (this.#mask + 1) * LOAD_MAX) this.#grow();
    this.#put(highWord(hash), lowWord(hash));
  }

  delete(hash: Uint8Array): void {
    const slot = this.#slotOf(highWord(hash), lowWord(hash));
    if (this.#isFree(slot)) return;
    this.#size--;
    this.#closeGap(slot);
  }

  #put(high: number, low: number): void {
    const slot = this.#slotOf(high, low);
    if (!this.#isFree(slot)) return;
    this.#words[2 * slot] = high;
    this.#words[2 * slot + 1] = low;
    this.#size++;
  }

  /** Where the fingerprint is, or the free slot where it would go. */
  #slotOf(high: number, low: number): number {
    let slot = high & this.#mask;
    while (
      !this.#isFree(slot) &&
      (this.#words[2 * slot] !== high || this.#words[2 * slot + 1] !== low)
    ) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #isFree(slot: number): boolean {
    return this.#words[2 * slot] === 0 && this.#words[2 * slot + 1] === 0;
  }

  /**
   * Frees a slot and moves up those behind it that were pushed on from it or from
   * before it, so that searches never stop short of them (Knuth, TAOCP 6.4 R).
   */
  #closeGap(gap: number): void {
    for (let slot = (gap + 1) & this.#mask; !this.#isFree(slot); slot = (slot + 1) & this.#mask) {
      const home = (this.#words[2 * slot] ?? 0) & this.#mask;
      const fromHome = (slot - home) & this.#mask;
      const fromGap = (slot - gap) & this.#mask;
      if (fromHome < fromGap) continue;
      this.#words.copyWithin(2 * gap, 2 * slot, 2 * slot + 2);
      gap = slot;
    }
    this.#words.fill(0, 2 * gap, 2 * gap + 2);
  }

  #grow(): void {
    const words = this.#words;
    this.#words = new Uint32Array(2 * words.length);
    this.#mask = words.length - 1;
    this.#size = 0;
    for (let at = 0; at < words.length; at += 2) {
      const [high = 0, low = 0] = [words[at], words[at + 1]];
      if (high !== 0 || low !== 0) this.#put(high, low);
    }
  }
}

function highWord(hash: Uint8Array): number {
  return word(hash, 0);
}

/** Never zero, so that no fingerprint looks like a free slot. */
function lowWord(hash: Uint8Array): number {
  return word(hash, 4) || 1;
}

function word(bytes: Uint8Array, at: number): number {
  return (((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) |
    (bytes[at + 3] ?? 0)) >>> 0;
}
