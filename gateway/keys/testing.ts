/** A look-up on its directory, without isolates in between; for tests. */
import type { KeyDirectory } from "./key_directory.ts";
import { KeyLookup } from "./key_lookup.ts";

export function lookupOn(directory: KeyDirectory, secret: Uint8Array): KeyLookup {
  const lookup = new KeyLookup({
    secret,
    known: directory.known,
    holderOf: (hash) => directory.holderOf(hash),
  });
  directory.addFollower(lookup);
  return lookup;
}
