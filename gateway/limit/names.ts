/** Hashes of what the configuration names: kinds of limits, and buckets. */
import { type Hash, KeyedHash } from "./keyed_hash.ts";

/** These names come from the configuration, not from callers: nobody to keep a seed from. */
const names = new KeyedHash({ high: 0, low: 0 });

/** The same in every isolate and after a restart. */
export function nameHash(name: string): Hash {
  return names.ofText(name);
}
