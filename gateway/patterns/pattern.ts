/**
 * Regular expressions that admins write and callers' URLs are held against. They run
 * on RE2's engine, whose time grows with the text alone: no expression and no URL can
 * keep a core busy. In return it has no look-around and no back-references.
 */
import { RE2JS, RE2JSSyntaxException } from "re2js";

/** The longest expression, in characters; a longer one is a program. */
export const PATTERN_MAX_LENGTH = 255;

export class Pattern {
  readonly #compiled: RE2JS;

  /** Letters of both cases are alike, as in API Umbrella. Throws for what `patternProblem` names. */
  constructor(readonly source: string) {
    this.#compiled = compile(source);
  }

  /** Whether it matches somewhere in `text`; it is not anchored by itself. */
  test(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** `text` with every match replaced by `replacement`, in which `$1` and `$&` are what was matched. */
  replaceAll(text: string, replacement: (groups: readonly string[]) => string): string {
    const matcher = this.#compiled.matcher(text);
    let result = "";
    let copied = 0;
    while (matcher.find()) {
      const groups = Array.from(
        { length: matcher.groupCount() + 1 },
        (_, n) => matcher.group(n) ?? "",
      );
      result += text.slice(copied, matcher.start()) + replacement(groups);
      copied = matcher.end();
    }
    return result + text.slice(copied);
  }

  /** Groups that it captures, apart from the whole match. */
  get groupCount(): number {
    return this.#compiled.groupCount();
  }
}

function compile(source: string): RE2JS {
  return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
}

/**
 * What is wrong with an expression and where, as a sentence goes on behind the
 * field's name: `has an error at character 3 ("(?="): …`. Null when nothing is.
 */
export function patternProblem(source: string): string | null {
  try {
    compile(source);
    return null;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // The engine is given "(?i)" in front, and tells of the piece that it stopped at.
    const piece = (error.input ?? "").replace(/^\(\?i\)/, "");
    const at = piece === "" ? source.length : source.lastIndexOf(piece) + 1;
    return `has an error at character ${Math.max(1, at)}${
      piece === "" ? "" : ` (${JSON.stringify(piece)})`
    }: ${error.error}`;
  }
}
