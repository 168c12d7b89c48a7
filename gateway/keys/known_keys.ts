/**
 * Every key there is, as far as telling whether one may exist goes: one isolate
 * keeps this up, the others read it in memory they share.
 */
import { FingerprintReader, FingerprintSet } from "./fingerprint_set.ts";
import { PreviewFilter } from "./preview_filter.ts";

/** What is handed to the isolates that read. */
export interface KnownKeysMemory {
  readonly fingerprints: SharedArrayBuffer;
  readonly previews: SharedArrayBuffer;
}

export class KnownKeys {
  readonly #fingerprints = new FingerprintSet();
  readonly #previews = new PreviewFilter();

  /** The fingerprints are in another one after they have grown. */
  get memory(): KnownKeysMemory {
    return { fingerprints: this.#fingerprints.memory, previews: this.#previews.memory };
  }

  /** Undefined: the preview is not known, as it is of keys from before it was kept with them. */
  add(hash: Uint8Array, preview: string | undefined): void {
    if (preview === undefined) this.#previews.open();
    else this.#previews.add(preview);
    this.#fingerprints.add(hash);
  }

  /** The preview stays: others may have it too. */
  delete(hash: Uint8Array): void {
    this.#fingerprints.delete(hash);
  }

  retire(): void {
    this.#fingerprints.retire();
  }
}

export class KnownKeysReader {
  readonly #fingerprints: FingerprintReader;
  readonly #previews: PreviewFilter;

  constructor({ fingerprints, previews }: KnownKeysMemory) {
    this.#fingerprints = new FingerprintReader(fingerprints);
    this.#previews = new PreviewFilter(previews);
  }

  /**
   * False only if there is no key that begins as this one does; settles
   * nearly all that are invented.
   */
  mayBegin(key: string): boolean {
    return this.#fingerprints.isRetired || this.#previews.mayHold(key);
  }

  /** False only if there is no key with this hash. */
  mayHold(hash: Uint8Array): boolean {
    return this.#fingerprints.mayHold(hash);
  }
}
