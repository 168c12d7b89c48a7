/**
 * How calls are treated: the settings of a backend, of a part of it (a sub-URL) and
 * of the server's defaults. What is absent, null or empty is inherited.
 */
import * as v from "valibot";
import {
  bytes,
  field,
  headerList,
  ipRange,
  oneOf,
  role,
  seconds,
  text,
  wholeNumber,
} from "./fields.ts";
import { errorData, errorTemplates } from "./error_answers.ts";
import { allowedOrigin, corsMethod, credentialsNeedOrigins, headerName } from "./cors.ts";
import { quotas, unlimitedHasNoQuotas } from "./quotas.ts";
import { customNeedsLimits, limitsAreCustom, rateLimits } from "./rate_limits.ts";
import { isoTime, refererPattern } from "./access.ts";
import { requestHeaders } from "./request_headers.ts";

const flag = v.nullish(v.boolean());

const access = {
  require_https: field(
    v.nullish(oneOf("required_return_error", "transition_return_error", "optional")),
    "required_return_error refuses plain HTTP calls with HTTPS_REQUIRED; transition_return_error " +
      "only those without a key, or with one made after the setting was published; optional " +
      "takes both.",
  ),
  require_https_transition_start_at: field(
    v.nullish(isoTime),
    "When the transition to HTTPS began. Publishing sets it and ignores what is sent; in the " +
      "configuration file it has to be given.",
  ),
  redirect_https: field(
    flag,
    "Whether plain HTTP calls are sent to HTTPS with status 301, before anything else is looked at.",
  ),
  disable_api_key: field(
    flag,
    "Whether calls may come without an API key. One that is sent is checked all the same.",
  ),
  api_key_verification_level: field(
    v.nullish(oneOf("none", "transition_email", "required_email")),
    "required_email refuses keys whose holder's e-mail address is not verified; transition_email " +
      "only those made after the setting was published; none takes all.",
  ),
  api_key_verification_transition_start_at: field(
    v.nullish(isoTime),
    "When the transition to verified addresses began. Publishing sets it and ignores what is " +
      "sent; in the configuration file it has to be given.",
  ),
  required_roles: field(
    v.nullish(v.array(role), () => []),
    "Roles a caller must have, all of them.",
  ),
  allowed_ips: field(
    v.nullish(v.array(ipRange), () => []),
    "IP addresses and ranges that calls may come from. Empty means any.",
  ),
  allowed_referers: field(
    v.nullish(v.array(refererPattern), () => []),
    "Pages that calls may come from, by the Referer header or else Origin, which the part before " +
      "the path has to match; * stands for anything, as in https://*.example.org/*. Empty means any.",
  ),
};

const cors = {
  cors: field(
    flag,
    "Whether pages of other sites may call from a browser (CORS): preflight requests are then " +
      "answered without a key, and answers name the allowed origin.",
  ),
  cors_allowed_origins: field(
    v.nullish(v.array(allowedOrigin), () => []),
    "Origins such as https://app.example.org or https://*.example.org. Empty means any.",
  ),
  cors_allowed_methods: field(
    v.nullish(v.array(corsMethod), () => []),
    "Methods that pages may use. Empty means every method that is asked for.",
  ),
  cors_allowed_headers: field(
    v.nullish(v.array(headerName), () => []),
    "Headers that pages may send, besides X-Api-Key. Empty means every header that is asked for.",
  ),
  cors_exposed_headers: field(
    v.nullish(v.array(headerName), () => []),
    "Headers of the answer that pages may read, besides the simple ones, X-Request-Id and those " +
      "that tell of limits.",
  ),
  cors_allow_credentials: field(
    flag,
    "Whether browsers may send cookies and HTTP authentication. It takes a list of allowed origins.",
  ),
  cors_max_age_seconds: field(
    v.nullish(wholeNumber(0, 86_400)),
    "How long a browser may remember the answer to a preflight request. Empty means 600.",
  ),
};

const limits = {
  rate_limit_mode: field(
    v.nullish(oneOf("unlimited", "custom")),
    "unlimited, or custom for the limits in rate_limits. Empty inherits the default limits.",
  ),
  rate_limits: field(
    v.nullish(rateLimits, () => []),
    "Limits that all hold, in this order; the first one exceeded refuses a call.",
  ),
  quotas: field(
    v.nullish(quotas, () => []),
    "Calls that may be made in a calendar day or month (UTC), besides the rate limits. They " +
      "outlast a restart.",
  ),
  rate_limit_bucket_name: field(
    v.nullish(text(255)),
    "What counters are shared under: backends with the same name share them. " +
      "Empty means the frontend host.",
  ),
  anonymous_rate_limit_behavior: field(
    v.nullish(oneOf("ip_fallback", "ip_only")),
    "Of calls without an API key: ip_fallback (the default) holds them to the limits by " +
      "api_key too, counted by IP address; ip_only to the limits by ip alone.",
  ),
  authenticated_rate_limit_behavior: field(
    v.nullish(oneOf("all", "api_key_only")),
    "Of calls with an API key: all (the default) holds them to every limit, api_key_only to " +
      "the limits by api_key alone.",
  ),
};

/** `user:password`, as RFC 7617 has it: the name holds no colon. */
const basicCredentials = v.pipe(
  text(255),
  v.check(
    // deno-lint-ignore no-control-regex -- control characters are what is refused
    (value) => value === "" || /^[^:\x00-\x1f\x7f]+:[^\x00-\x1f\x7f]*$/.test(value),
    'must be in the format of "user:password"',
  ),
);

/** A query without the question mark, as it is appended to a target. */
const queryString = v.pipe(
  text(255),
  v.regex(/^(?!\?)[\x21\x22\x24-\x7e]*$/, "must be a query such as a=1&b=2: no ?, # or spaces"),
);

const request = {
  append_query_string: field(
    v.nullish(queryString),
    "Arguments added to the query of every call, in place of any of the same names.",
  ),
  headers: field(
    v.nullish(requestHeaders, () => []),
    "Headers set on the request to the backend, in place of any of the same names. A value may " +
      "hold {{headers.x-name}}, which stands for a header of the request (a Mustache template, so " +
      "{{{headers.x-name}}} for it without HTML escaping); an empty one removes the header.",
  ),
  http_basic_auth: field(
    v.nullish(basicCredentials),
    "user:password to authenticate to the backend with, in place of the caller's.",
  ),
  pass_api_key_header: field(
    flag,
    "Whether the backend is given the caller's API key in X-Api-Key. Its log then holds keys.",
  ),
  pass_api_key_query_param: field(
    flag,
    "Whether the backend is given the caller's API key in the query. Its log then holds keys.",
  ),
};

const answer = {
  default_response_headers: field(
    v.nullish(headerList, () => []),
    "Headers set on the answer where the backend sent none of that name.",
  ),
  override_response_headers: field(
    v.nullish(headerList, () => []),
    "Headers set on the answer in place of the backend's.",
  ),
  compress_answers: field(
    flag,
    "Whether text is compressed for callers that take it (gzip, brotli) where the backend sent it " +
      "plain. Empty means yes.",
  ),
  error_templates: field(
    v.nullish(errorTemplates, () => ({})),
    "What refusals look like, by format: json, xml, csv, html. {{code}}, {{message}} and every " +
      "name of error_data stand for their values.",
  ),
  error_data: field(
    v.nullish(errorData, () => ({})),
    "What refusals say: variables for the templates, under common for all of them or under " +
      "a refusal's name, such as api_key_missing; among them status_code, code and message.",
  ),
};

const cache = {
  cache_mode: field(
    v.nullish(oneOf("explicit", "off")),
    "explicit (the default) keeps answers that say how long they are fresh, for everybody, and " +
      "gives them to later callers; off keeps none.",
  ),
  cache_max_age_seconds: field(
    v.nullish(wholeNumber(1, 31_536_000)),
    "How long answers are kept that do not say how long they are fresh. Empty: not at all.",
  ),
};

const bounds = {
  connect_timeout_seconds: field(
    v.nullish(seconds),
    "Longest wait for a connection, in place of upstream.connect_timeout_seconds.",
  ),
  read_timeout_seconds: field(
    v.nullish(seconds),
    "Longest silence of the backend, in place of upstream.read_timeout_seconds.",
  ),
  send_timeout_seconds: field(
    v.nullish(seconds),
    "Longest wait to send more, in place of upstream.send_timeout_seconds.",
  ),
  total_timeout_seconds: field(
    v.nullish(seconds),
    "Longest time for a whole call, in place of upstream.total_timeout_seconds.",
  ),
  body_max_bytes: field(
    v.nullish(bytes),
    "Largest body of a request, in place of client.body_max_bytes.",
  ),
  disable_analytics: field(
    flag,
    "Whether calls are left out of the log, refused ones as well.",
  ),
};

const entries = { ...access, ...cors, ...limits, ...request, ...answer, ...cache, ...bounds };

/** How calls to a backend are treated. Absent or null means "inherit the default". */
export const backendSettings = v.pipe(
  v.strictObject(entries),
  customNeedsLimits(),
  credentialsNeedOrigins(),
  limitsAreCustom(),
  unlimitedHasNoQuotas(),
);

/** How calls to a part of a backend are treated. Absent or null means "as the rest of it". */
export const subSettings = v.pipe(
  v.strictObject({
    ...entries,
    required_roles_override: field(
      v.nullish(v.boolean(), false),
      "Whether required_roles stands in place of the backend's roles; else both are needed.",
    ),
  }),
  customNeedsLimits(),
  credentialsNeedOrigins(),
  limitsAreCustom(),
  unlimitedHasNoQuotas(),
);

export type BackendSettings = v.InferOutput<typeof backendSettings>;
export type SubSettings = v.InferOutput<typeof subSettings>;
export type SettingName = keyof BackendSettings;
