/**
 * What can be asked about a call, and what is said of it: the shapes, which the REST
 * API's description is made of as well.
 */
import * as v from "valibot";
import { field, requiredText } from "../records/fields.ts";
import { TOKEN } from "../upstream/grammar.ts";

/** Characters; more than any call may have, so that one that is too long can be explained too. */
const URL_MAX_LENGTH = 65_536;
const HEADER_MAX_LENGTH = 65_536;
const HEADERS_MAX = 1000;

const headerName = v.pipe(
  v.string(),
  v.regex(new RegExp(`^${TOKEN}$`), "is not a valid header name"),
);
const headerValue = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(HEADER_MAX_LENGTH, `is too long (maximum is ${HEADER_MAX_LENGTH} characters)`),
  v.regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must be on one line, in Latin-1 characters"),
);

export const explainInput = v.strictObject({
  method: field(
    v.nullish(
      v.pipe(requiredText(32), v.regex(new RegExp(`^${TOKEN}$`), "is not a method")),
      "GET",
    ),
    "Method of the call.",
  ),
  url: field(
    v.nullish(requiredText(URL_MAX_LENGTH), ""),
    "URL of the call. One that begins with / is on the host that this request was made to.",
  ),
  headers: field(
    v.nullish(
      v.pipe(
        v.record(headerName, headerValue),
        v.check(
          (headers) => Object.keys(headers).length <= HEADERS_MAX,
          `must be at most ${HEADERS_MAX} headers`,
        ),
      ),
      {},
    ),
    "Header fields of the call, values by name. An API key among them, or in the URL, does not " +
      "come back and is not kept.",
  ),
  address: field(
    v.nullish(v.pipe(requiredText(64), v.ip("must be an IP address"))),
    "IP address that the call comes from. Empty: the address of this request.",
  ),
  user_id: field(
    v.nullish(requiredText(64)),
    "Id of the API user who makes the call, in place of a key.",
  ),
  draft: field(
    v.nullish(v.boolean(), false),
    "Whether the drafts decide, as they would be published, in place of what is live.",
  ),
});

export type ExplainInput = v.InferOutput<typeof explainInput>;

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const fields = v.record(text, text);

const rule = v.object({
  setting: field(text, "Name of the setting."),
  value: field(v.unknown(), "Its value there; null for none."),
  source: field(
    v.picklist(["user", "sub_url", "backend", "default", "server"]),
    "Whose word it is: the API user's, the sub-URL's, the backend's, that of " +
      "default_api_backend_settings, or the server's own, where nobody says anything.",
  ),
  path: field(
    v.nullable(text),
    "Where it stands in the record or in the configuration file, such as settings.required_roles.",
  ),
});

const outcome = v.picklist(["pass", "refuse", "answer"]);

const stage = v.object({
  name: text,
  title: text,
  decision: field(
    v.picklist(["pass", "refuse", "answer", "skip"]),
    "skip: not reached, as an earlier stage refused or answered the call, or there is no backend.",
  ),
  would: field(
    v.nullable(outcome),
    "What this stage decides by itself, reached or not; null if it cannot be said.",
  ),
  code: field(v.nullable(text), "What it refuses with."),
  why: field(text, "The reason, a sentence."),
  rule: field(v.nullable(rule), "The rule that made the decision."),
});

const limit = v.object({
  kind: v.picklist(["rate_limit", "quota"]),
  words: text,
  calls: field(count, "Calls that it allows."),
  used: field(count, "Calls that count now."),
  remaining: field(count, "Calls left."),
  refuses: field(v.boolean(), "Whether it refuses the call."),
  seconds_until_more: count,
});

const upstream = v.object({
  method: text,
  url: field(text, "With the host that the backend is asked for."),
  target: field(text, "Path and query, as they are sent."),
  servers: field(v.array(text), "host:port of each; the call goes to one of them."),
  headers: field(fields, "Without those that frame the message."),
});

export const explanation = v.object({
  decision: v.picklist(["forwarded", "refused", "answered"]),
  status: field(v.nullable(count), "Of the answer; null where the backend gives it."),
  code: field(v.nullable(text), "What a refused call is told."),
  message: v.nullable(text),
  summary: field(text, "What happens and why, in a sentence."),
  stage: field(v.nullable(text), "The stage that refused or answered the call."),
  backend: v.nullable(v.object({
    kind: v.picklist(["backend", "website_backend"]),
    id: field(v.nullable(text), "Null for one of the configuration file."),
    name: text,
  })),
  url_match: v.nullable(v.object({ frontend_prefix: text, backend_prefix: text })),
  sub_url: field(
    v.nullable(v.object({ index: count, http_method: text, regex: text })),
    "The sub-URL whose settings hold.",
  ),
  user: field(v.nullable(v.object({ id: text, email: text })), "Who holds the key."),
  address: field(text, "IP address that the call counts as coming from."),
  version: field(v.nullable(count), "The live version that decided; null: the drafts did."),
  stages: field(v.array(stage), "In the order in which they decide."),
  limits: field(v.array(limit), "Rate limits and quotas that hold, as they stand now."),
  upstream: field(
    v.nullable(upstream),
    "The request that the backend gets; null if it gets none.",
  ),
  answer_headers: field(
    fields,
    "Header fields that the gateway puts on the answer, as far as they do not depend on it.",
  ),
});

export type Explanation = v.InferOutput<typeof explanation>;
export type ExplainedStage = v.InferOutput<typeof stage>;
export type Rule = v.InferOutput<typeof rule>;
