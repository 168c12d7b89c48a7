/** Looks fingerprints up in shared memory, over and over, in an isolate of its own; for tests. */
import { FingerprintReader } from "./fingerprint_set.ts";

export interface ReaderTask {
  readonly memory: SharedArrayBuffer;
  /** In the set from before the start. */
  readonly present: readonly Uint8Array[];
  /** Not zero: that is enough. */
  readonly stop: SharedArrayBuffer;
}

export interface ReaderResult {
  readonly looked: number;
  readonly missed: number;
}

self.onmessage = ({ data }: MessageEvent<ReaderTask>) => {
  const reader = new FingerprintReader(data.memory);
  const stop = new Int32Array(data.stop);
  let looked = 0;
  let missed = 0;
  self.postMessage("looking");
  while (Atomics.load(stop, 0) === 0) {
    for (const hash of data.present) {
      looked++;
      if (!reader.mayHold(hash)) missed++;
    }
  }
  self.postMessage({ looked, missed } satisfies ReaderResult);
};
