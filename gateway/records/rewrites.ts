/** Parts of a backend that are picked by method and URL: sub-URL settings and rewrites. */
import * as v from "valibot";
import { PATTERN_MAX_LENGTH, patternProblem } from "../patterns/pattern.ts";
import { field, oneOf, requiredText, unique } from "./fields.ts";
import { subSettings } from "./settings.ts";

/** A method, or `any` of them. */
export const httpMethod = oneOf(
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

const rewrite = v.pipe(
  v.strictObject({
    matcher_type: field(
      oneOf("route", "regex"),
      "route for a pattern such as /users/:id, regex for a regular expression.",
    ),
    http_method: field(httpMethod, "Method of the calls, or any."),
    frontend_matcher: field(requiredText(255), "What path and query are held against."),
    backend_replacement: field(
      requiredText(255),
      "What takes its place: for a route with {{id}}, for a regular expression with $1.",
    ),
  }),
);

export const rewrites = v.pipe(
  v.array(rewrite),
  v.maxLength(256, "must hold at most 256 entries"),
  unique(
    "frontend_matcher",
    (entry) => `${entry.matcher_type} ${entry.http_method} ${entry.frontend_matcher}`,
  ),
);

export type SubUrl = v.InferOutput<typeof subUrls>[number];
export type Rewrite = v.InferOutput<typeof rewrites>[number];
