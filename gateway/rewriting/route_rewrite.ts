/**
 * Rewrites targets that match a route pattern: `/users/:id?lang=:lang` to
 * `/people/{{id}}?l={{lang}}`. A name stands for what was captured: in the path as it
 * came, if it came from the path; anywhere else so that it stays one segment or argument.
 */
import { BadRequest } from "../exchange/bad_request.ts";
import { escapeCaptured } from "./captured_text.ts";
import { rewrittenTarget } from "./rewritten_target.ts";
import { type Captured, RoutePattern } from "./route_pattern.ts";
import { compileTemplate, type Template, type Vocabulary } from "./template.ts";
import { WrittenProblem } from "./written_problem.ts";

export class RouteRewrite {
  readonly #pattern: RoutePattern;
  readonly #replacement: Template<Captured>;

  /** @throws {WrittenProblem} for a replacement that uses other names, or never makes a target. */
  constructor(pattern: RoutePattern, replacement: string) {
    if (!/^(?:\/|\{\{)/.test(replacement)) throw new WrittenProblem(0, 'it must start with "/"');
    this.#pattern = pattern;
    this.#replacement = compileTemplate(replacement, vocabulary(pattern, replacement.indexOf("?")));
    const sample = rewrittenTarget(this.#replacement(Array(pattern.names.size).fill("x")));
    if (sample instanceof BadRequest) throw new WrittenProblem(0, sample.reason);
  }

  /** The new target; the same when the pattern does not match. */
  applyTo(target: string): string {
    const captured = this.#pattern.match(target);
    if (captured === null) return target;
    const rewritten = this.#replacement(captured);
    return rewritten.endsWith("?") ? rewritten.slice(0, -1) : rewritten;
  }
}

/** @param queryStart where the replacement's `?` is; -1: there is none */
function vocabulary({ names }: RoutePattern, queryStart: number): Vocabulary<Captured> {
  return {
    variable: (name, at) => {
      const capture = names.get(name);
      if (capture === undefined) return null;
      const { from, index } = capture;
      const isInPath = queryStart === -1 || at < queryStart;
      return isInPath && from === "path"
        ? (captured) => captured[index] ?? ""
        : (captured) => escapeCaptured(captured[index] ?? "");
    },
    escape: (value) => value,
    names: names.size === 0
      ? "the route captures nothing"
      : `the route captures ${[...names.keys()].join(", ")}`,
  };
}
