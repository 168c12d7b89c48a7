/**
 * A set of fingerprints (the first 64 bits of key hashes) in memory that isolates
 * share: one of them writes, all of them read. It costs 8 bytes a slot and no object
 * a key: a million keys take 16 MiB. Open addressing with linear probing; hashes are
 * random already, so their bits serve as the slot.
 *
 * A reader takes no lock: a count that is odd while the writer is at work tells it
 * that what it saw may be neither the old nor the new (a sequence lock).
 */

/** Slots that may be taken before the table grows. */
const LOAD_MAX = 0.7;
/** A power of two. */
const FIRST_SLOTS = 1024;

/** Words before the table. */
const HEADER_WORDS = 2;
/** Grows by one when a change begins and when it ends. */
const CHANGES = 0;
/** 1 once the set is no longer kept: it has moved to larger memory, or is out of date. */
const RETIRED = 1;

/** What readers know of a set. */
export class FingerprintReader {
  readonly memory: SharedArrayBuffer;
  protected readonly header: Int32Array;
  /** Two words a slot; both zero: the slot is free. */
  protected readonly words: Uint32Array;
  protected readonly mask: number;

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory;
    this.header = new Int32Array(memory, 0, HEADER_WORDS);
    this.words = new Uint32Array(memory, 4 * HEADER_WORDS);
    this.mask = this.words.length / 2 - 1;
  }

  /**
   * Whether the fingerprint may be in the set: false only if it is not. Takes a whole
   * hash or its first 8 bytes, as all methods do.
   */
  mayHold(hash: Uint8Array): boolean {
    const before = Atomics.load(this.header, CHANGES);
    if (before % 2 !== 0 || this.isRetired) return true;
    const isFound = !this.isFree(this.slotOf(highWord(hash), lowWord(hash)));
    return isFound || Atomics.load(this.header, CHANGES) !== before;
  }

  /** Whether the set is no longer kept in this memory. */
  get isRetired(): boolean {
    return Atomics.load(this.header, RETIRED) !== 0;
  }

  /** Where the fingerprint is, or the free slot where it would go. */
  protected slotOf(high: number, low: number): number {
    let slot = high & this.mask;
    // The bound is for a reader that is overtaken by a change: a table is never full.
    for (let step = 0; step <= this.mask && !this.isFree(slot); step++) {
      if (this.words[2 * slot] === high && this.words[2 * slot + 1] === low) break;
      slot = (slot + 1) & this.mask;
    }
    return slot;
  }

  protected isFree(slot: number): boolean {
    return this.words[2 * slot] === 0 && this.words[2 * slot + 1] === 0;
  }
}

/** The table of the one who writes. */
class Table extends FingerprintReader {
  size = 0;

  constructor(slots: number) {
    super(new SharedArrayBuffer(4 * HEADER_WORDS + 8 * slots));
  }

  get slots(): number {
    return this.mask + 1;
  }

  retire(): void {
    Atomics.store(this.header, RETIRED, 1);
  }

  add(high: number, low: number): void {
    const slot = this.slotOf(high, low);
    if (!this.isFree(slot)) return;
    this.#change(() => {
      this.words[2 * slot] = high;
      this.words[2 * slot + 1] = low;
    });
    this.size++;
  }

  delete(high: number, low: number): void {
    const slot = this.slotOf(high, low);
    if (this.isFree(slot)) return;
    this.#change(() => this.#closeGap(slot));
    this.size--;
  }

  addAllOf(other: Table): void {
    for (let at = 0; at < other.words.length; at += 2) {
      const [high = 0, low = 0] = [other.words[at], other.words[at + 1]];
      if (high !== 0 || low !== 0) this.add(high, low);
    }
  }

  #change(work: () => void): void {
    Atomics.add(this.header, CHANGES, 1);
    work();
    Atomics.add(this.header, CHANGES, 1);
  }

  /**
   * Frees a slot and moves up those behind it that were pushed on from it or from
   * before it, so that searches never stop short of them (Knuth, TAOCP 6.4 R).
   */
  #closeGap(gap: number): void {
    for (let slot = (gap + 1) & this.mask; !this.isFree(slot); slot = (slot + 1) & this.mask) {
      const home = (this.words[2 * slot] ?? 0) & this.mask;
      const fromHome = (slot - home) & this.mask;
      const fromGap = (slot - gap) & this.mask;
      if (fromHome < fromGap) continue;
      this.words.copyWithin(2 * gap, 2 * slot, 2 * slot + 2);
      gap = slot;
    }
    this.words.fill(0, 2 * gap, 2 * gap + 2);
  }
}

/** The set as its one writer has it. */
export class FingerprintSet {
  #table = new Table(FIRST_SLOTS);

  get size(): number {
    return this.#table.size;
  }

  /** What a `FingerprintReader` reads; another one after the set has grown. */
  get memory(): SharedArrayBuffer {
    return this.#table.memory;
  }

  has(hash: Uint8Array): boolean {
    return this.#table.mayHold(hash);
  }

  add(hash: Uint8Array): void {
    if (this.#table.size >= this.#table.slots * LOAD_MAX) this.#grow();
    this.#table.add(highWord(hash), lowWord(hash));
  }

  delete(hash: Uint8Array): void {
    this.#table.delete(highWord(hash), lowWord(hash));
  }

  /** The set is no longer kept: from now on its readers cannot tell that anything is not in it. */
  retire(): void {
    this.#table.retire();
  }

  #grow(): void {
    const table = new Table(2 * this.#table.slots);
    table.addAllOf(this.#table);
    this.#table.retire();
    this.#table = table;
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
