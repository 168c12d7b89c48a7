/**
 * Regular expressions that admins write and callers' URLs are held against. They run
 * on RE2's engine, whose time grows with the text alone: no expression and no URL can
 * keep a core busy. In return it has no look-around and no back-references.
 */
import { RE2JS } from "re2js";

/** The longest expression, in characters; a longer one is a program. */
export const PATTERN_MAX_LENGTH = 255;

export class Pattern {
  readonly #compiled: RE2JS;

  /**
   * By default letters of both cases are alike, as in API Umbrella. Throws for what
   * `patternProblem` names.
   */
  constructor(readonly source: string, letters: "any case" | "same case" = "any case") {
    this.#compiled = RE2JS.compile(source, letters === "any case" ? RE2JS.CASE_INSENSITIVE : 0);
  }

  /** Matches `text` as it stands; for a part of an expression. */
  static literal(text: string): string {
    return RE2JS.quote(text);
  }

  /** Whether it matches somewhere in `text`; it is not anchored by itself. */
  test(text: string): boolean {
    return this.#compiled.test(text);
  }

  /** What its groups captured at the first match, the whole match first; null without a match. */
  capture(text: string): readonly string[] | null {
    if (!this.test(text)) return null; // a tenth of what a search with its groups costs
    const matcher = this.#compiled.matcher(text);
    return matcher.find() ? groupsOf(matcher) : null;
  }

  /**
   * `text` with `replacement` in place of every match; it is given the groups, the whole
   * match first. As in RE2, an empty match right behind another is none.
   */
  replaceAll(text: string, replacement: (groups: readonly string[]) => string): string {
    if (!this.test(text)) return text;
    const matcher = this.#compiled.matcher(text);
    let result = "";
    let copied = 0;
    for (let first = true; matcher.find(); first = false) {
      if (!first && matcher.end() === copied) continue;
      result += text.slice(copied, matcher.start()) + replacement(groupsOf(matcher));
      copied = matcher.end();
    }
    return result + text.slice(copied);
  }

  /** Groups that it captures, apart from the whole match. */
  get groupCount(): number {
    return this.#compiled.groupCount();
  }
}

function groupsOf(matcher: ReturnType<RE2JS["matcher"]>): readonly string[] {
  return Array.from({ length: matcher.groupCount() + 1 }, (_, n) => matcher.group(n) ?? "");
}
