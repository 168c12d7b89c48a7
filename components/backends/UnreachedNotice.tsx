/** Warns of prefixes that may be saved and published, but that no call reaches. */
import { Notice } from "../Notice.tsx";
import { type UnreachedPrefix, unreachedWords } from "./unreached.ts";

export function UnreachedNotice({ prefixes }: { prefixes: readonly UnreachedPrefix[] }) {
  if (prefixes.length === 0) return null;
  return (
    <Notice tone="warn">
      {prefixes.map((prefix) => <p key={prefix.prefix}>{unreachedWords(prefix)}</p>)}
    </Notice>
  );
}
