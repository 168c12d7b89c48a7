/**
 * Mustache templates (variables, sections, inverted sections), made into functions
 * when a configuration is compiled: a call only puts texts together. A template can
 * read nothing but what its vocabulary names.
 */
// @ts-types="./mustache.d.ts"
import mustache, { type Token } from "mustache";
import { WrittenProblem } from "./written_problem.ts";

/** What a template's names stand for. */
export interface Vocabulary<View> {
  /**
   * Reads what `name` stands for off the view, empty when it is not there; null: no such
   * name. `at` is where in the template it stands.
   */
  variable(name: string, at: number): ((view: View) => string) | null;
  /** What is done to the value of `{{name}}`, as opposed to `{{{name}}}` and `{{&name}}`. */
  escape(value: string): string;
  /** The names there are, for whoever used another: `only headers.<name> is known`. */
  readonly names: string;
}

/** A template's text for a view. */
export type Template<View> = (view: View) => string;

/** Whether a text is a template at all. */
export function isTemplate(text: string): boolean {
  return text.includes("{{");
}

/** @throws {WrittenProblem} */
export function compileTemplate<View>(
  source: string,
  vocabulary: Vocabulary<View>,
): Template<View> {
  return joined(parse(source).flatMap((token) => part(token, vocabulary) ?? []));
}

function parse(source: string): Token[] {
  try {
    // A writer of its own: the shared one remembers every text that it was ever given.
    return new mustache.Writer().parse(source);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [, what = error.message, at = "0"] = /^(.*) at (\d+)$/.exec(error.message) ?? [];
    throw new WrittenProblem(Math.min(Number(at), source.length - 1), what);
  }
}

/** A fixed text, or what is read off the view. */
type Part<View> = string | Template<View>;

/** Null for a comment. */
function part<View>(token: Token, vocabulary: Vocabulary<View>): Part<View> | null {
  const [type, name, start] = token;
  switch (type) {
    case "text":
      return name;
    case "&":
      return read(name, start, vocabulary);
    case "name": {
      const value = read(name, start, vocabulary);
      return (view) => vocabulary.escape(value(view));
    }
    case "#":
    case "^":
      return section(token, vocabulary);
    case "!":
    case "=":
      return null;
    case ">":
      throw new WrittenProblem(start, "there are no partials");
  }
}

function section<View>(
  [type, name, start, , inner]: Extract<Token, { 0: "#" | "^" }>,
  vocabulary: Vocabulary<View>,
): Template<View> {
  const value = read(name, start, vocabulary);
  const within: Vocabulary<View> = {
    ...vocabulary,
    variable: (wanted, at) => wanted === "." ? value : vocabulary.variable(wanted, at),
  };
  const content = joined(inner.flatMap((token) => part(token, within) ?? []));
  const whenSet = type === "#";
  return (view) => (value(view) !== "") === whenSet ? content(view) : "";
}

function read<View>(name: string, at: number, vocabulary: Vocabulary<View>): Template<View> {
  const variable = vocabulary.variable(name, at);
  if (variable !== null) return variable;
  throw new WrittenProblem(at, `${JSON.stringify(name)} stands for nothing: ${vocabulary.names}`);
}

function joined<View>(parts: readonly Part<View>[]): Template<View> {
  const [first = "", ...rest] = parts;
  if (rest.length === 0) return typeof first === "string" ? () => first : first;
  return (view) => {
    let text = "";
    for (const part of parts) text += typeof part === "string" ? part : part(view);
    return text;
  };
}
