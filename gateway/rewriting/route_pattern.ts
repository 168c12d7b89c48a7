/**
 * A pattern such as `/users/:id/*rest?page=:page&lang=en`, held against path and query:
 *
 * - `:name` captures up to the next `/` (or what is written behind it, as in `:id.:ext`),
 *   `*name` anything, `*` the same without a name; a slash at the end is optional;
 * - of the query all arguments have to be listed, in any order, with the value they must
 *   have or `:name`; an argument that comes repeatedly is one, joined with commas;
 * - a pattern without a query matches any.
 */
import { BadRequest } from "../exchange/bad_request.ts";
import { argumentName, decodeArgument, rawArgumentValue } from "../exchange/query_argument.ts";
import { canonicalPath, canonicalPrefix } from "../exchange/target.ts";
import { Pattern } from "../patterns/pattern.ts";
import { WrittenProblem } from "./written_problem.ts";

/** Where a name is captured. */
export interface Capture {
  readonly from: "path" | "query";
  readonly index: number;
}

/** What was captured, by `Capture.index`; escapes are as they came. */
export type Captured = readonly string[];

/** An argument that a query must have: with this value, or one that is captured. */
interface Argument {
  /** Decoded, as the value is. */
  readonly name: string;
  readonly value: string | null;
}

const PARAMETER = /:([A-Za-z_][A-Za-z0-9_]*)|\*([A-Za-z_][A-Za-z0-9_]*)?/g;
const CAPTURED_VALUE = /^:([A-Za-z_][A-Za-z0-9_]*)$/;

export class RoutePattern {
  readonly #names = new Map<string, Capture>();
  readonly #path: Pattern;
  readonly #arguments: readonly Argument[] | null;

  /** @throws {WrittenProblem} */
  constructor(source: string) {
    const queryStart = source.indexOf("?");
    this.#path = this.#compilePath(queryStart === -1 ? source : source.slice(0, queryStart));
    this.#arguments = queryStart === -1
      ? null
      : this.#compileQuery(source.slice(queryStart + 1), queryStart + 1);
  }

  /** The names it captures. */
  get names(): ReadonlyMap<string, Capture> {
    return this.#names;
  }

  /** What it captures of a target; null when it does not match. */
  match(target: string): Captured | null {
    const queryStart = target.indexOf("?");
    const path = this.#path.capture(queryStart === -1 ? target : target.slice(0, queryStart));
    if (path === null) return null;
    const query = this.#captureQuery(queryStart === -1 ? "" : target.slice(queryStart + 1));
    return query === null ? null : [...path.slice(1), ...query];
  }

  #compilePath(source: string): Pattern {
    if (!source.startsWith("/")) throw new WrittenProblem(0, 'it must start with "/"');
    const checked = canonicalPath(source);
    if (checked instanceof BadRequest) throw new WrittenProblem(0, checked.reason);
    const bare = source === "/" ? source : source.replace(/\/$/, "");
    let expression = "";
    let copied = 0;
    for (const { 0: parameter, 1: name, 2: splat, index } of bare.matchAll(PARAMETER)) {
      expression += literal(bare.slice(copied, index));
      const captured = name ?? splat;
      if (captured !== undefined) this.#capture(captured, "path", index);
      expression += name !== undefined ? "([^/]+?)" : splat !== undefined ? "(.*)" : ".*";
      copied = index + parameter.length;
    }
    return new Pattern(`^${expression}${literal(bare.slice(copied))}/?$`, "same case");
  }

  #compileQuery(source: string, start: number): readonly Argument[] {
    const listed: Argument[] = [];
    let at = start;
    for (const argument of source.split("&")) {
      if (argument.startsWith("*")) {
        throw new WrittenProblem(
          at,
          "a query has no wildcard; a route without a query matches any",
        );
      }
      const name = argumentName(argument);
      if (listed.some((other) => other.name === name)) {
        throw new WrittenProblem(at, `the argument ${JSON.stringify(name)} is listed twice`);
      }
      const value = rawArgumentValue(argument);
      const captured = CAPTURED_VALUE.exec(value)?.[1];
      if (captured !== undefined) this.#capture(captured, "query", at);
      if (argument !== "") {
        listed.push({ name, value: captured === undefined ? decodeArgument(value) : null });
      }
      at += argument.length + 1;
    }
    return listed;
  }

  #capture(name: string, from: Capture["from"], at: number): void {
    if (this.#names.has(name)) {
      throw new WrittenProblem(at, `the name ${JSON.stringify(name)} is there twice`);
    }
    this.#names.set(name, { from, index: this.#names.size });
  }

  /** The captured values of a query that has all that is listed and nothing else; else null. */
  #captureQuery(query: string): Captured | null {
    if (this.#arguments === null) return [];
    const values = valuesOf(query);
    if (values.size !== this.#arguments.length) return null;
    const captured: string[] = [];
    for (const { name, value: wanted } of this.#arguments) {
      const value = values.get(name);
      if (value === undefined) return null;
      if (wanted === null) captured.push(value);
      else if (decodeArgument(value) !== wanted) return null;
    }
    return captured;
  }
}

/** The values of a query's arguments, escaped, by their names. */
function valuesOf(query: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const argument of query.split("&")) {
    if (argument === "") continue;
    const name = argumentName(argument);
    const value = rawArgumentValue(argument).replaceAll("+", "%20");
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before},${value}`);
  }
  return values;
}

/** Text as it is in canonical paths. */
function literal(text: string): string {
  return Pattern.literal(canonicalPrefix(text));
}
