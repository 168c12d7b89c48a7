/**
 * A backend's rewrites of path and query: all that match are made, in order, each
 * on what the one before left.
 */
import { BadRequest } from "../exchange/bad_request.ts";
import { Pattern } from "../patterns/pattern.ts";
import { patternProblem } from "../patterns/pattern_problem.ts";
import { RegexRewrite } from "./regex_rewrite.ts";
import { rewrittenTarget } from "./rewritten_target.ts";
import { RoutePattern } from "./route_pattern.ts";
import { RouteRewrite } from "./route_rewrite.ts";
import { problemOf } from "./written_problem.ts";

/** A rewrite as it is written. */
export interface WrittenRewrite {
  readonly matcher_type: "route" | "regex";
  /** In capitals, or `any`. */
  readonly http_method: string;
  readonly frontend_matcher: string;
  readonly backend_replacement: string;
}

/** Longer ones no backend takes; rewrites that double what they match end here. */
const TARGET_MAX_LENGTH = 65_536;

export class RewriteRules {
  readonly #rules: readonly {
    readonly method: string;
    readonly rewrite: RouteRewrite | RegexRewrite;
  }[];

  /** Throws for what `rewriteProblem` names. */
  constructor(rewrites: readonly WrittenRewrite[]) {
    this.#rules = rewrites.map((written) => ({
      method: written.http_method,
      rewrite: compileRewrite(written),
    }));
  }

  /**
   * The target that goes out for a canonical one. A `BadRequest` when rewriting makes it
   * one that would have been refused in a call itself.
   */
  applyTo(method: string, target: string): string | BadRequest {
    let rewritten = target;
    for (const rule of this.#rules) {
      if (rule.method !== "any" && rule.method !== method) continue;
      rewritten = rule.rewrite.applyTo(rewritten);
      if (rewritten.length > TARGET_MAX_LENGTH) {
        return new BadRequest("As it is rewritten, the URL is too long.");
      }
    }
    return rewritten === target ? target : rewrittenTarget(rewritten);
  }
}

function compileRewrite(written: WrittenRewrite): RouteRewrite | RegexRewrite {
  const { matcher_type, frontend_matcher, backend_replacement } = written;
  return matcher_type === "route"
    ? new RouteRewrite(new RoutePattern(frontend_matcher), backend_replacement)
    : new RegexRewrite(new Pattern(frontend_matcher), backend_replacement);
}

/** What is wrong with a rewrite, and in which field; null when nothing is. */
export function rewriteProblem(
  written: WrittenRewrite,
): { readonly field: keyof WrittenRewrite; readonly message: string } | null {
  const { matcher_type, frontend_matcher } = written;
  const matcher = matcher_type === "route"
    ? problemOf(() => new RoutePattern(frontend_matcher))
    : patternProblem(frontend_matcher);
  if (matcher !== null) return { field: "frontend_matcher", message: matcher };
  const replacement = problemOf(() => compileRewrite(written));
  return replacement === null ? null : { field: "backend_replacement", message: replacement };
}
