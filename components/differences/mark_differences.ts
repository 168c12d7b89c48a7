/** Two texts in pieces, of which those that the other text does not have are marked. */

export interface TextPiece {
  readonly text: string;
  readonly changed: boolean;
}

export interface MarkedTexts {
  readonly before: readonly TextPiece[];
  readonly after: readonly TextPiece[];
}

/** Words, and what stands between them character by character. */
const TOKENS = /[\p{L}\p{N}_]+|[^]/gu;

/**
 * Marks, word by word, what lies between the beginning and the end that both texts
 * share: in a host, a path or a header that is what somebody changed.
 */
export function markDifferences(before: string, after: string): MarkedTexts {
  const old = before.match(TOKENS) ?? [];
  const next = after.match(TOKENS) ?? [];
  const most = Math.min(old.length, next.length);
  const start = shared(most, (index) => old[index] === next[index]);
  const end = shared(most - start, (index) => old.at(-1 - index) === next.at(-1 - index));
  return { before: pieces(old, start, end), after: pieces(next, start, end) };
}

/** How many in a row are the same, from the first one on. */
function shared(most: number, isSame: (index: number) => boolean): number {
  let count = 0;
  while (count < most && isSame(count)) count++;
  return count;
}

function pieces(tokens: readonly string[], start: number, end: number): TextPiece[] {
  const middle = tokens.length - end;
  return [
    { text: tokens.slice(0, start).join(""), changed: false },
    { text: tokens.slice(start, middle).join(""), changed: true },
    { text: tokens.slice(middle).join(""), changed: false },
  ].filter(({ text }) => text !== "");
}
