/** Parts of a backend that are picked by method and URL: sub-URL settings and rewrites. */
import * as v from "valibot";
import { PATTERN_MAX_LENGTH } from "../patterns/pattern.ts";
import { patternProblem } from "../patterns/pattern_problem.ts";
import { rewriteProblem } from "../rewriting/rewrite_rules.ts";
import { blameField } from "./blame_field.ts";
import { field, oneOf, requiredText, unique } from "./fields.ts";
import { subSettings } from "./settings.ts";

/** A method, or `any` of them. */
const httpMethod = oneOf(
  "any",
  "GET",
  "POST",
  "PUT",
  "DELETE",
  "HEAD",
  "TRACE",
  "OPTIONS",
  "CONNECT",
  "PATCH",
);

/** A regular expression of RE2's syntax; see `gateway/patterns/`. */
export const pattern = v.pipe(
  requiredText(PATTERN_MAX_LENGTH),
  v.rawCheck<string>(({ dataset, addIssue }) => {
    const problem = dataset.typed ? patternProblem(dataset.value) : null;
    if (problem !== null) addIssue({ message: problem });
  }),
);

const subUrl = v.strictObject({
  http_method: field(httpMethod, "Method of the calls, or any."),
  regex: field(
    pattern,
    "Regular expression (RE2, letters of both cases alike) for path and query as the backend gets " +
      "them before rewrites. The first entry that matches a call decides.",
  ),
  settings: field(
    v.nullish(subSettings, () => v.parse(subSettings, {})),
    "How these calls are treated, where that differs from the backend's settings.",
  ),
});

export const subUrls = v.pipe(
  v.array(subUrl),
  v.maxLength(256, "must hold at most 256 entries"),
  unique("regex", ({ http_method, regex }) => `${http_method} ${regex}`),
);

const onOneLine = v.pipe(
  requiredText(255),
  // deno-lint-ignore no-control-regex -- control characters are what is refused
  v.regex(/^[^\x00-\x1f\x7f]*$/, "must be on one line, without control characters"),
);

const writtenRewrite = v.strictObject({
  matcher_type: field(
    oneOf("route", "regex"),
    "route for a pattern such as /users/:id, regex for a regular expression.",
  ),
  http_method: field(httpMethod, "Method of the calls, or any."),
  frontend_matcher: field(
    onOneLine,
    "What path and query are held against, as the backend gets them but for the key. A route " +
      "has :name for what stands between two slashes, *name for anything, and in its query " +
      "arguments as in page=:page&lang=en, all of which have to come and no others; without a " +
      "query it matches any. A regular expression (RE2, letters of both cases alike) may match " +
      "several times.",
  ),
  backend_replacement: field(
    onOneLine,
    "What takes its place: for a route path and query with {{name}}, for a regular expression " +
      "a text with $1.",
  ),
});

export type Rewrite = v.InferOutput<typeof writtenRewrite>;

const rewrite = v.pipe(writtenRewrite, blameField<Rewrite>(rewriteProblem));

export const rewrites = v.pipe(
  v.array(rewrite),
  v.maxLength(256, "must hold at most 256 entries"),
  unique(
    "frontend_matcher",
    (entry) => `${entry.matcher_type} ${entry.http_method} ${entry.frontend_matcher}`,
  ),
);

export type SubUrl = v.InferOutput<typeof subUrls>[number];
