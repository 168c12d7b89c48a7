/** Backends of every kind, for tests of what has to hold for all of them. */
import fc from "fast-check";
import { methods } from "./routing_choices.ts";

/** Printable ASCII, as most values are; beginning and end are no spaces. */
const word = fc.stringMatching(/^[!-~]{1,20}$/);
const plain = fc.stringMatching(/^[a-zA-Z0-9]{1,10}$/);
const host = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}\.example$/);
const path = fc.stringMatching(/^\/[a-z0-9]{1,10}\/$/);
const flag = fc.boolean();
const seconds = fc.double({ min: 0.001, max: 86_400, noNaN: true });
const count = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const limitBy = fc.constantFrom("api_key", "ip");
const moment = fc.constant("2030-01-02T03:04:05.678Z");

/** None that the gateway writes itself. */
const headerName = fc.stringMatching(/^X-[a-zA-Z0-9]{1,10}$/);

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary);

/** Braces are a template's, so they are there as a whole. */
const headerValue = fc.oneof(
  fc.stringMatching(/^[\t -z]{0,30}$/),
  fc.constant("{{headers.x-a}} {{{headers.x-b}}}"),
);

const headers = fc.array(
  fc.record({ key: headerName, value: headerValue }),
  {
    maxLength: 3,
  },
);

const rateLimits = fc.uniqueArray(
  fc.record({
    duration: fc.oneof(
      fc.integer({ min: 1000, max: 31_622_400_000 }),
      fc.constantFrom(1000, 60_000, 7_200_000, 86_400_000),
    ),
    limit_by: limitBy,
    limit: count,
    response_headers: flag,
  }),
  { minLength: 1, maxLength: 3, selector: (row) => `${row.limit_by} ${row.duration}` },
);

const quotas = fc.uniqueArray(
  fc.record({ period: fc.constantFrom("day", "month"), limit_by: limitBy, limit: count }),
  { maxLength: 3, selector: (row) => `${row.limit_by} ${row.period}` },
);

/** Browsers send every line's end as CR and LF, so that is one thing in texts of several lines. */
const text = fc.string({ unit: "binary", maxLength: 40 }).filter((it) => !it.includes("\r"));

const variables = fc.dictionary(
  fc.stringMatching(/^[a-z_]{1,10}$/).filter((name) => name !== "status_code"),
  fc.oneof(text, fc.integer(), flag),
  { maxKeys: 3 },
);

const lines = (item: fc.Arbitrary<string>) => fc.array(item, { maxLength: 3 });

/** Every setting that a backend can have. */
export const settingArbitraries = {
  require_https: maybe(
    fc.constantFrom("required_return_error", "transition_return_error", "optional"),
  ),
  require_https_transition_start_at: maybe(moment),
  redirect_https: maybe(flag),
  disable_api_key: maybe(flag),
  api_key_verification_level: maybe(
    fc.constantFrom("none", "transition_email", "required_email"),
  ),
  api_key_verification_transition_start_at: maybe(moment),
  required_roles: lines(fc.stringMatching(/^[a-z][a-z ]{0,10}[a-z]$/)),
  allowed_ips: lines(fc.constantFrom("10.0.0.0/8", "::1", "192.0.2.7")),
  allowed_referers: lines(word),
  cors: maybe(flag),
  cors_allowed_origins: lines(fc.constantFrom("https://a.example", "https://*.example:8443")),
  cors_allowed_methods: lines(fc.constantFrom("GET", "PURGE")),
  cors_allowed_headers: lines(headerName),
  cors_exposed_headers: lines(headerName),
  cors_max_age_seconds: maybe(fc.integer({ min: 0, max: 86_400 })),
  rate_limit_bucket_name: maybe(word),
  anonymous_rate_limit_behavior: maybe(fc.constantFrom("ip_fallback", "ip_only")),
  authenticated_rate_limit_behavior: maybe(fc.constantFrom("all", "api_key_only")),
  append_query_string: maybe(fc.stringMatching(/^[a-z]{1,5}=[a-z0-9%&]{0,10}$/)),
  headers,
  http_basic_auth: maybe(fc.stringMatching(/^[a-z]{1,9}:[!-~]{0,9}$/)),
  pass_api_key_header: maybe(flag),
  pass_api_key_query_param: maybe(flag),
  default_response_headers: headers,
  override_response_headers: headers,
  compress_answers: maybe(flag),
  error_templates: fc.record(
    { json: fc.constant('{\n  "code": {{code}}\n}'), xml: text, csv: text, html: text },
    { requiredKeys: [] },
  ),
  error_data: fc.record({ common: variables, api_key_missing: variables }, { requiredKeys: [] }),
  cache_mode: maybe(fc.constantFrom("explicit", "off")),
  cache_max_age_seconds: maybe(fc.integer({ min: 1, max: 31_536_000 })),
  connect_timeout_seconds: maybe(seconds),
  read_timeout_seconds: maybe(seconds),
  send_timeout_seconds: maybe(seconds),
  total_timeout_seconds: maybe(seconds),
  body_max_bytes: maybe(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER })),
  disable_analytics: maybe(flag),
};

/** Fields whose values hang together; limits depend on their mode, credentials need origins. */
const together = fc.record({
  limits: fc.oneof(
    fc.record({ rate_limit_mode: fc.constant("custom"), rate_limits: rateLimits, quotas }),
    fc.record({ rate_limit_mode: fc.constant(null), quotas }),
    fc.record({ rate_limit_mode: fc.constant("unlimited") }),
  ),
  cors_allow_credentials: maybe(flag),
});

export const settings = fc.tuple(fc.record(settingArbitraries), together).map(
  ([single, { limits, cors_allow_credentials }]) => ({
    ...single,
    ...limits,
    cors_allow_credentials: single.cors_allowed_origins.length > 0 ? cors_allow_credentials : null,
  }),
);

const method = fc.constantFrom(...methods.map(({ value }) => value));

const subSettings = fc.uniqueArray(
  fc.record({
    http_method: method,
    regex: fc.stringMatching(/^\^\/[a-z]{1,8}[?$]?$/),
    settings: fc.tuple(settings, flag).map(([own, required_roles_override]) => ({
      ...own,
      required_roles_override,
    })),
  }),
  { maxLength: 2, selector: (row) => `${row.http_method} ${row.regex}` },
);

const rewrites = fc.uniqueArray(
  fc.record({
    matcher_type: fc.constant("route"),
    http_method: method,
    frontend_matcher: path,
    backend_replacement: path,
  }),
  { maxLength: 3, selector: (row) => `${row.http_method} ${row.frontend_matcher}` },
);

export const backend = fc.record({
  name: plain,
  backend_protocol: fc.constantFrom("http", "https"),
  frontend_host: fc.oneof(host, fc.constantFrom("*", "*.example.org", ".example.org")),
  backend_host: maybe(host),
  balance_algorithm: fc.constantFrom("least_conn", "round_robin", "ip_hash"),
  servers: fc.uniqueArray(fc.record({ host, port: fc.integer({ min: 1, max: 65_535 }) }), {
    minLength: 1,
    maxLength: 3,
    selector: (row) => `${row.host}:${row.port}`,
  }),
  backend_tls: maybe(fc.record({ verify: flag, server_name: host })),
  health_check: maybe(fc.record({
    path,
    interval_seconds: fc.integer({ min: 1, max: 600 }),
    timeout_seconds: seconds,
    healthy_after: fc.integer({ min: 1, max: 100 }),
    unhealthy_after: fc.integer({ min: 1, max: 100 }),
    expected_statuses: fc.array(fc.integer({ min: 200, max: 599 }), { maxLength: 3 }),
  })),
  url_matches: fc.uniqueArray(fc.record({ frontend_prefix: path, backend_prefix: path }), {
    minLength: 1,
    maxLength: 3,
    selector: (row) => row.frontend_prefix,
  }),
  settings,
  sub_settings: subSettings,
  rewrites,
});
