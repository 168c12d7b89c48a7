/** What tests on a store share. */
import assert from "node:assert/strict";
import { Fault, type FaultKind } from "../faults.ts";
import type { Logger } from "../process/logger.ts";

export const silentLog: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** For `assert.rejects`: a fault of this kind that blames these fields, in this order. */
export function fault(kind: FaultKind, ...fields: readonly string[]) {
  return (error: unknown): true => {
    assert.ok(error instanceof Fault, String(error));
    assert.equal(error.kind, kind);
    if (fields.length > 0) assert.deepEqual(error.errors.map((it) => it.field), fields);
    return true;
  };
}

/** Runs `work` with an empty folder that is gone afterwards. */
export async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Counts the reads that go to a store from here on. */
export function countReads(kv: Deno.Kv): { readonly reads: number } {
  const counter = { reads: 0 };
  const counted = <F extends (...args: never[]) => unknown>(read: F): F =>
    ((...args) => {
      counter.reads++;
      return read.apply(kv, args);
    }) as F;
  kv.get = counted(kv.get);
  kv.getMany = counted(kv.getMany);
  kv.list = counted(kv.list);
  return counter;
}
