/** What refusals look like and say: the templates and their variables. */
import * as v from "valibot";
import { isAnswerStatus } from "../refusal/error_answers.ts";
import { Template } from "../refusal/template.ts";
import { field } from "./fields.ts";

const template = v.pipe(
  v.string(),
  v.maxLength(8192, "is too long (maximum is 8192 characters)"),
);

/** Values come with their quotation marks, whichever they are. */
const jsonTemplate = v.pipe(
  template,
  v.rawCheck<string>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.value === "") return;
    const sample = new Template(dataset.value).fill(() => '"value"', Infinity) ?? "";
    const problem = jsonProblem(sample);
    if (problem !== null) {
      addIssue({
        message: `does not give JSON: ${problem}. Values bring their quotation marks with them, ` +
          'as in {"error": {{message}}}',
      });
    }
  }),
);

function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** By format; one that is absent is inherited. */
export const errorTemplates = v.strictObject({
  json: field(v.nullish(jsonTemplate), "For callers who take JSON."),
  xml: field(v.nullish(template), "For callers who take XML."),
  csv: field(v.nullish(template), "For callers who take CSV."),
  html: field(v.nullish(template), "For people at a browser."),
});

const name = v.pipe(
  v.string(),
  v.regex(/^\w{1,64}$/, "must be letters, digits and underscores, 64 at most"),
);
const value = v.union(
  [v.pipe(v.string(), v.maxLength(4096)), v.number(), v.boolean()],
  "must be text, a number, or true or false",
);

const variables = v.pipe(
  v.record(name, value),
  v.check(
    ({ status_code: status }) => status === undefined || isAnswerStatus(status),
    "holds a status_code that is no whole number from 200 to 599, or one of answers without a " +
      "body (204, 205, 304)",
  ),
);

/** By the refusal they are for. */
export const errorData = v.strictObject({
  common: field(v.nullish(variables), "For every refusal."),
  not_found: field(v.nullish(variables), "Nothing is at the URL."),
  api_key_missing: field(v.nullish(variables), "A key is needed and none came."),
  api_key_invalid: field(v.nullish(variables), "The key is nobody's."),
  api_key_disabled: field(v.nullish(variables), "The key is disabled."),
  api_key_expired: field(v.nullish(variables), "The key has expired."),
  api_key_unverified: field(v.nullish(variables), "The holder's address is not verified."),
  api_key_unauthorized: field(v.nullish(variables), "A role, address or referer is not allowed."),
  over_rate_limit: field(v.nullish(variables), "A rate limit or quota is used up."),
  https_required: field(v.nullish(variables), "The call came over plain HTTP."),
  internal_server_error: field(v.nullish(variables), "Something went wrong here."),
});

export type ErrorTemplates = v.InferOutput<typeof errorTemplates>;
export type ErrorData = v.InferOutput<typeof errorData>;
