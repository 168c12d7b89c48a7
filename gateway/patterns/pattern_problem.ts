/** What is wrong with a regular expression that an admin wrote, and where. */
import { RE2JS, RE2JSSyntaxException } from "re2js";

/**
 * As a sentence goes on behind the field's name: `has an error at character 3
 * ("(?="): …`. Null when nothing is wrong.
 */
export function patternProblem(source: string): string | null {
  try {
    RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
    return null;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // The engine is given "(?i)" in front, and tells of the piece that it stopped at.
    const piece = (error.input ?? "").replace(/^\(\?i\)/, "");
    const isPlaced = piece !== "" && piece !== source;
    const at = isPlaced ? source.indexOf(piece) : unpaired(source);
    return `has an error at character ${at + 1}${
      isPlaced ? ` (${JSON.stringify(piece)})` : ""
    }: ${error.error}`;
  }
}

/**
 * Where the first parenthesis is that closes nothing, else the last one
 * that nothing closes; else 0.
 */
function unpaired(source: string): number {
  const open: number[] = [];
  for (const { 0: piece, index } of source.matchAll(PIECE)) {
    if (piece === "(") open.push(index);
    else if (piece === ")" && open.pop() === undefined) return index;
  }
  return open.at(-1) ?? 0;
}

/** Quoted text, an escape, a class, a parenthesis. */
const PIECE = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]/gs;
