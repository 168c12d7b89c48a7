import assert from "node:assert/strict";
import { Pattern } from "../patterns/pattern.ts";
import { type Rewrite, rewrites } from "../records/rewrites.ts";
import { fieldErrors } from "../records/validate.ts";
import { RegexRewrite } from "./regex_rewrite.ts";

function rewritten(matcher: string, replacement: string, target: string): string {
  return new RegexRewrite(new Pattern(matcher), replacement).applyTo(target);
}

Deno.test("every match is replaced, letters of both cases alike, groups put in by their numbers", () => {
  assert.equal(rewritten("state=(\\w\\w)", "region=US-$1", "/x?State=CO"), "/x?region=US-CO");
  assert.equal(rewritten("-", "_", "/a-b-c?d-e"), "/a_b_c?d_e");
  assert.equal(rewritten("(a)(b)?", "<$0|$&|${1}0|$2>", "/ab/A"), "/<ab|ab|a0|b>/<A|A|A0|>");
  assert.equal(rewritten("a", "$$1$", "/a"), "/$1$");
  assert.equal(rewritten("nowhere", "x", "/a"), "/a");
});

Deno.test("a bad expression, or a group that it has not, is refused when it is saved", () => {
  const error = (frontend_matcher: string, backend_replacement: string) => {
    const rewrite: Rewrite = {
      matcher_type: "regex",
      http_method: "GET",
      frontend_matcher,
      backend_replacement,
    };
    const [first] = fieldErrors(rewrites, [rewrite]);
    return first && `${first.field} ${first.message}`;
  };
  assert.equal(error("^/(a)", "/$1"), undefined);
  assert.match(error("^/(a", "/") ?? "", /^\[0\]\.frontend_matcher has an error at character 3: /);
  const replacement = "[0].backend_replacement has an error at character ";
  assert.equal(
    error("^/(a)", "/x$2"),
    `${replacement}3: $2 stands for nothing: the regular expression has 1 group`,
  );
  assert.match(error("^/a", "${1}") ?? "", /character 1: .* has no group/);
});
