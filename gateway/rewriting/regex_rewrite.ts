/**
 * Rewrites whatever of a target matches a regular expression, as often as it does. In
 * the replacement `$1` and `${1}` stand for a group, `$0` and `$&` for the whole match,
 * `$$` for a dollar.
 */
import { Pattern } from "../patterns/pattern.ts";
import { WrittenProblem } from "./written_problem.ts";

const REFERENCE = /\$(?:(\d+)|\{(\d+)\}|(&)|\$)/g;

export class RegexRewrite {
  readonly #pattern: Pattern;
  /** Texts, and numbers of groups. */
  readonly #replacement: readonly (string | number)[];

  /** @throws {WrittenProblem} for a replacement that names a group which the expression has not. */
  constructor(pattern: Pattern, replacement: string) {
    this.#pattern = pattern;
    this.#replacement = compileReplacement(replacement, pattern.groupCount);
  }

  /** The new target; the same when the expression does not match. */
  applyTo(target: string): string {
    return this.#pattern.replaceAll(target, (groups) => {
      let text = "";
      for (const part of this.#replacement) {
        text += typeof part === "string" ? part : groups[part] ?? "";
      }
      return text;
    });
  }
}

function compileReplacement(source: string, groupCount: number): (string | number)[] {
  const parts: (string | number)[] = [];
  let copied = 0;
  for (const { 0: reference, 1: bare, 2: braced, 3: whole, index } of source.matchAll(REFERENCE)) {
    parts.push(source.slice(copied, index));
    copied = index + reference.length;
    const digits = whole === undefined ? bare ?? braced : "0";
    if (digits !== undefined && Number(digits) > groupCount) {
      throw new WrittenProblem(index, `${reference} stands for nothing: ${groupWords(groupCount)}`);
    }
    parts.push(digits === undefined ? "$" : Number(digits));
  }
  return [...parts, source.slice(copied)];
}

function groupWords(count: number): string {
  const groups = count === 1 ? "1 group" : `${count} groups`;
  return `the regular expression has ${count === 0 ? "no group" : groups}`;
}
