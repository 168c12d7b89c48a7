/** A text with the pieces marked in which it differs from another. */
import type { TextPiece } from "./mark_differences.ts";

export function MarkedText({ pieces }: { pieces: readonly TextPiece[] }) {
  return (
    <>
      {pieces.map(({ text, changed }, index) => changed ? <mark key={index}>{text}</mark> : text)}
    </>
  );
}
