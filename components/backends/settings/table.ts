/**
 * Every setting of a backend and of its sub-URLs, once: what it is called, what it is
 * for and how it is edited. The form, what it sends and reads, the summaries of its
 * sections, inherited values and the words of Publish Changes all go by this.
 */
import {
  block,
  choice,
  fact,
  lines,
  number,
  rows,
  secret,
  text,
  yaml,
  yesNo,
} from "../../fields/field_kinds.ts";

const access = {
  disable_api_key: yesNo(
    {
      label: "API key",
      help: "Whether a call needs one; a key that is sent must be good in either case.",
      builtIn: "required",
    },
    ["false", "Required", "key required"],
    ["true", "Not required", "key not required"],
  ),
  api_key_verification_level: choice(
    {
      label: "E-mail verification",
      help: "Whether the holder of a key must have a verified e-mail address.",
      builtIn: "not needed",
    },
    ["none", "Not needed", "no e-mail verification"],
    ["transition_email", "Needed for new keys", "new keys verified"],
    ["required_email", "Needed", "e-mail verified"],
  ),
  api_key_verification_transition_start_at: fact({
    label: "Verification needed for keys made since",
    help: "Noted when the transition was published.",
  }),
  require_https: choice(
    {
      label: "HTTPS",
      help: "Whether calls over plain HTTP are refused.",
      builtIn: "optional",
    },
    ["required_return_error", "Required", "HTTPS only"],
    ["transition_return_error", "Required for new keys", "new keys by HTTPS"],
    ["optional", "Optional", "HTTPS optional"],
  ),
  require_https_transition_start_at: fact({
    label: "HTTPS required for keys made since",
    help: "Noted when the transition was published.",
  }),
  redirect_https: yesNo(
    {
      label: "Redirect to HTTPS",
      help: "Whether calls over plain HTTP are answered with the same URL under HTTPS.",
      builtIn: "no",
    },
    ["true", "Yes", "redirected to HTTPS"],
    ["false", "No", "not redirected to HTTPS"],
  ),
  required_roles: lines({
    label: "Required roles",
    help: "Roles that a key must have, all of them; one a line.",
    item: "Required role",
    builtIn: "none",
    brief: "role",
  }),
  required_roles_override: yesNo(
    {
      label: "Roles of the backend",
      help: "Whether they are needed as well, or the roles here stand in their place.",
      builtIn: "needed as well",
      inherits: false,
      subUrlOnly: true,
    },
    ["", "Needed as well", ""],
    ["true", "Replaced by those here", "backend's roles replaced"],
  ),
  allowed_ips: lines({
    label: "Allowed IP addresses",
    help: "Addresses or ranges such as 10.0.0.0/8 that may call; one a line.",
    item: "Allowed IP address",
    brief: "IP range",
  }),
  allowed_referers: lines({
    label: "Allowed referers",
    help: "Pages that may call, such as https://*.example.org/*; one a line.",
    item: "Allowed referer",
    brief: "referer",
    commas: false,
  }),
} as const;

const cors = {
  cors: yesNo(
    {
      label: "Calls from pages of other sites",
      help: "Whether their scripts may call from a browser, which asks first by a request " +
        "without a key.",
      builtIn: "refused",
    },
    ["true", "Allowed", "allowed"],
    ["false", "Refused", "refused"],
  ),
  cors_allowed_origins: lines({
    label: "Allowed origins",
    help: "Sites such as https://app.example.org or https://*.example.org; one a line.",
    item: "Allowed origin",
    brief: "origin",
    onlyWhile: ["cors", "true"],
  }),
  cors_allowed_methods: lines({
    label: "Allowed methods",
    help: "Methods such as GET that pages may use; one a line.",
    item: "Allowed method",
    brief: "method",
    onlyWhile: ["cors", "true"],
  }),
  cors_allowed_headers: lines({
    label: "Allowed request headers",
    help: "Headers such as X-Api-Key that pages may send; one a line.",
    item: "Allowed request header",
    brief: "request header",
    onlyWhile: ["cors", "true"],
  }),
  cors_exposed_headers: lines({
    label: "Exposed response headers",
    help: "Headers of an answer that pages may read besides the simple ones; one a line.",
    item: "Exposed response header",
    builtIn: "none",
    brief: "exposed header",
    onlyWhile: ["cors", "true"],
  }),
  cors_allow_credentials: yesNo(
    {
      label: "Credentials",
      help: "Whether browsers may send cookies and passwords along, which needs a list of " +
        "allowed origins.",
      builtIn: "not allowed",
      onlyWhile: ["cors", "true"],
    },
    ["true", "Allowed", "credentials"],
    ["false", "Not allowed", "no credentials"],
  ),
  cors_max_age_seconds: number({
    label: "Preflight lifetime",
    help: "How long a browser need not ask again.",
    unit: "seconds",
    builtIn: "600",
    brief: "preflight lifetime",
    onlyWhile: ["cors", "true"],
  }),
} as const;

const limits = {
  rate_limit_mode: choice(
    {
      label: "Rate limit",
      help: "How often one caller may call; a user's own limits stand in place of these.",
      builtIn: "unlimited",
    },
    ["unlimited", "Unlimited", "unlimited"],
    ["custom", "Custom limits", ""],
  ),
  rate_limits: rows({
    label: "Limits",
    help:
      "All of them hold at the same time; a call without a key is counted by its IP address, of " +
      "IPv6 by its /64 network.",
    kind: "limit",
    item: "Limit",
    onlyWhile: ["rate_limit_mode", "custom"],
  }),
  anonymous_rate_limit_behavior: choice(
    {
      label: "Calls without a key",
      help: "Which limits they are held to.",
      builtIn: "all limits, by IP address",
      onlyWhile: ["disable_api_key", "true"],
    },
    ["ip_fallback", "All limits, by IP address", "all limits without a key"],
    ["ip_only", "Limits by IP address alone", "limits by IP without a key"],
  ),
  authenticated_rate_limit_behavior: choice(
    {
      label: "Calls with a key",
      help: "Which limits they are held to.",
      builtIn: "all limits",
      onlyWhile: ["disable_api_key", "true"],
    },
    ["all", "All limits", "all limits with a key"],
    ["api_key_only", "Limits by API key alone", "limits by key with a key"],
  ),
  quotas: rows({
    label: "Quotas",
    help: "Calls that may be made in a calendar day or month, besides the rate limit.",
    kind: "quota",
    item: "Quota",
  }),
} as const;

const request = {
  append_query_string: text({
    label: "Added to the query",
    help: "Arguments such as units=metric that every call gets, in place of any of the same " +
      "names.",
    maxLength: 255,
    brief: "query",
  }),
  http_basic_auth: secret({
    label: "Basic authentication",
    help: "user:password that the backend is given in place of the caller's.",
    maxLength: 255,
    brief: "Basic authentication",
  }),
  headers: rows({
    label: "Request headers",
    help:
      "Set on every request; {{{headers.x-name}}} in a value stands for a header of the call, " +
      "and an empty value removes the header.",
    kind: "header",
    item: "Request header",
  }),
  pass_api_key_header: yesNo(
    {
      label: "Pass the API key in X-Api-Key",
      help: "Whether the backend is given the caller's key, which its log may then hold.",
      builtIn: "no",
    },
    ["true", "Yes", "key passed in a header"],
    ["false", "No", "key not passed in a header"],
  ),
  pass_api_key_query_param: yesNo(
    {
      label: "Pass the API key in the query",
      help: "Whether the backend is given it as api_key, which its log will then hold.",
      builtIn: "no",
    },
    ["true", "Yes", "key passed in the query"],
    ["false", "No", "key not passed in the query"],
  ),
} as const;

const templateHelp = "{{code}}, {{message}} and what error data defines stand for their values.";

const answer = {
  default_response_headers: rows({
    label: "Default response headers",
    help: "Set on an answer where the backend did not set them.",
    kind: "header",
    item: "Default response header",
  }),
  override_response_headers: rows({
    label: "Override response headers",
    help: "Set on an answer in place of the backend's own.",
    kind: "header",
    item: "Override response header",
  }),
  compress_answers: yesNo(
    {
      label: "Compression",
      help: "Whether text that comes plain from the backend is compressed for callers that " +
        "take it.",
      builtIn: "yes",
    },
    ["true", "Yes", "compressed"],
    ["false", "No", "not compressed"],
  ),
  error_data: yaml({
    label: "Error data",
    help: "YAML: what refusals say (message, code, status_code and names of your own), under " +
      "common for all of them or under one's name, such as api_key_missing.",
    brief: "error data",
  }),
  "error_templates.json": block({
    label: "Refusals in JSON",
    help: templateHelp,
    builtIn: '{"error":{"code":{{code}},"message":{{message}}}}',
  }),
  "error_templates.xml": block({
    label: "Refusals in XML",
    help: templateHelp,
    builtIn: `<?xml version="1.0" encoding="UTF-8"?>
<response>
  <error>
    <code>{{code}}</code>
    <message>{{message}}</message>
  </error>
</response>`,
  }),
  "error_templates.csv": block({
    label: "Refusals in CSV",
    help: templateHelp,
    builtIn: "Error Code,Error Message\n{{code}},{{message}}",
  }),
  "error_templates.html": block({
    label: "Refusals in HTML",
    help: templateHelp,
    builtIn: "a page that says what to do next",
  }),
} as const;

const cache = {
  cache_mode: choice(
    {
      label: "Cache",
      help: "Whether an answer that says how long it is fresh for everybody is given to later " +
        "callers too.",
      builtIn: "on",
    },
    ["explicit", "On", "on"],
    ["off", "Off", "off"],
  ),
  cache_max_age_seconds: number({
    label: "Default lifetime",
    help: "How long answers are kept that do not say themselves how long they are fresh.",
    unit: "seconds",
    builtIn: "not at all",
    brief: "default lifetime",
  }),
} as const;

const advanced = {
  connect_timeout_seconds: number({
    label: "Connect timeout",
    help: "Longest wait for a connection.",
    unit: "seconds",
  }),
  read_timeout_seconds: number({
    label: "Read timeout",
    help: "Longest silence of the backend.",
    unit: "seconds",
  }),
  send_timeout_seconds: number({
    label: "Send timeout",
    help: "Longest stall while a request is sent to it.",
    unit: "seconds",
  }),
  total_timeout_seconds: number({
    label: "Total timeout",
    help: "Longest time for a whole call, the answer included; not for WebSockets.",
    unit: "seconds",
  }),
  body_max_bytes: number({
    label: "Largest request body",
    help: "A larger one is refused with 413.",
    unit: "bytes",
    brief: "body limit",
  }),
  rate_limit_bucket_name: text({
    label: "Rate limit bucket",
    help: "Backends with the same bucket share their counts.",
    maxLength: 255,
    builtIn: "the frontend host",
    brief: "bucket",
  }),
  disable_analytics: yesNo(
    {
      label: "Analytics",
      help: "Whether calls can be found and are counted there; limits hold in either case.",
      builtIn: "calls are recorded",
    },
    ["false", "Calls are recorded", "in Analytics"],
    ["true", "Calls are left out", "not in Analytics"],
  ),
} as const;

/** The settings by the section of the form that they stand in, in its order. */
export const settingGroups = { access, cors, limits, request, answer, cache, advanced } as const;

export type SettingGroup = keyof typeof settingGroups;

export const settingFields = {
  ...access,
  ...cors,
  ...limits,
  ...request,
  ...answer,
  ...cache,
  ...advanced,
} as const;

export type SettingFields = typeof settingFields;
export type SettingFieldName = keyof SettingFields;
