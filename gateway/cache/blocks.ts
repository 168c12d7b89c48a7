/**
 * Blocks of the shared memory and the chains they are in. Whoever takes or gives back
 * has the lock; reading needs none, but may be overtaken by a change (see `read`).
 */
import {
  BLOCK_BYTES,
  BLOCKS_TAKEN,
  BLOCKS_TOUCHED,
  type CacheMemory,
  Damaged,
  FREE_BLOCK,
} from "./memory.ts";

/** Blocks one behind the other. */
export interface Chain {
  readonly first: number;
  readonly last: number;
  readonly length: number;
}

/** How many blocks hold so many bytes. */
export function blocksFor(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES);
}

export class Blocks {
  readonly #memory: CacheMemory;

  constructor(memory: CacheMemory) {
    this.#memory = memory;
  }

  get free(): number {
    return this.#memory.blocks - this.#memory.word(BLOCKS_TAKEN);
  }

  /** Takes `length` blocks, of which there must be as many free. */
  take(length: number): Chain {
    const first = this.#takeOne();
    let last = first;
    for (let taken = 1; taken < length; taken++) {
      const block = this.#takeOne();
      this.#link(last, block + 1);
      last = block;
    }
    this.#link(last, 0);
    this.#count(length);
    return { first, last, length };
  }

  giveBack({ first, last, length }: Chain): void {
    const { words } = this.#memory;
    this.#link(last, this.#memory.word(FREE_BLOCK));
    words[FREE_BLOCK] = first + 1;
    this.#count(-length);
  }

  /** All blocks are free, as if none had ever been taken. */
  reset(): void {
    const { words } = this.#memory;
    words[FREE_BLOCK] = words[BLOCKS_TOUCHED] = words[BLOCKS_TAKEN] = 0;
  }

  /**
   * Writes `parts`, one behind the other, into a chain that nobody else knows of yet. If
   * all blocks were reset meanwhile it may end early; then its entry has been given up.
   */
  write({ first }: Chain, parts: readonly Uint8Array[]): void {
    const { bytes } = this.#memory;
    let block = first;
    let at = 0;
    for (const part of parts) {
      for (let written = 0; written < part.length;) {
        if (at === BLOCK_BYTES) [block, at] = [this.#next(block), 0];
        if (!this.#isBlock(block)) return;
        const count = Math.min(part.length - written, BLOCK_BYTES - at);
        bytes.set(part.subarray(written, written + count), this.#start(block) + at);
        written += count;
        at += count;
      }
    }
  }

  /**
   * A copy of `length` bytes from `offset` on. Without the lock it may hold anything: it
   * counts only if the entry is the same afterwards. Null if the chain ended too early.
   */
  read(first: number, offset: number, length: number): Uint8Array<ArrayBuffer> | null {
    const { bytes } = this.#memory;
    if (length < 0 || length > bytes.length) return null; // damaged
    const copy = new Uint8Array(length);
    let block = first;
    let at = offset;
    for (; at >= BLOCK_BYTES; at -= BLOCK_BYTES) block = this.#next(block);
    for (let copied = 0; copied < length; at = 0) {
      if (!this.#isBlock(block)) return null;
      const count = Math.min(length - copied, BLOCK_BYTES - at);
      const start = this.#start(block) + at;
      copy.set(bytes.subarray(start, start + count), copied);
      copied += count;
      block = this.#next(block);
    }
    return copy;
  }

  #takeOne(): number {
    const { words, blocks } = this.#memory;
    const free = this.#memory.word(FREE_BLOCK);
    if (free !== 0) {
      if (!this.#isBlock(free - 1)) throw new Damaged("the list of free blocks leads nowhere");
      words[FREE_BLOCK] = this.#next(free - 1) + 1;
      return free - 1;
    }
    const block = this.#memory.word(BLOCKS_TOUCHED);
    if (block < 0 || block >= blocks) {
      throw new Damaged("there are fewer free blocks than were counted");
    }
    words[BLOCKS_TOUCHED] = block + 1;
    return block;
  }

  #count(taken: number): void {
    this.#memory.words[BLOCKS_TAKEN] = this.#memory.word(BLOCKS_TAKEN) + taken;
  }

  #isBlock(block: number): boolean {
    return block >= 0 && block < this.#memory.blocks;
  }

  #start(block: number): number {
    return this.#memory.blocksAt + block * BLOCK_BYTES;
  }

  /** -1 behind the last one. */
  #next(block: number): number {
    return this.#memory.word(this.#memory.chainsAt + block) - 1;
  }

  #link(block: number, next: number): void {
    this.#memory.words[this.#memory.chainsAt + block] = next;
  }
}
