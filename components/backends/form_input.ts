/**
 * From what was typed into a backend's form to what `gateway/backends/` takes, and
 * from its errors back to the fields of the form.
 */
import type { FieldError } from "@/gateway/faults.ts";
import { hostAdvice } from "./pasted_url.ts";
import type { BackendForm, HeaderFields, RateLimitFields, SettingsFields } from "./backend_form.ts";
import { inheritable, lineItems, numeric } from "./field_text.ts";
import { healthCheckInput, tlsInput } from "./server_fields.ts";

/** The form without the rows that nobody filled in; of servers and prefixes one row stays. */
export function withoutBlankRows(form: BackendForm): BackendForm {
  const { servers, url_matches, settings } = form;
  const filledHeaders = (rows: readonly HeaderFields[]) =>
    rows.filter(({ key, value }) => (key + value).trim() !== "");
  return {
    ...form,
    servers: filledOrFirst(servers, ({ host, port }) => host + port),
    url_matches: filledOrFirst(url_matches, (row) => row.frontend_prefix + row.backend_prefix),
    settings: {
      ...settings,
      headers: filledHeaders(settings.headers),
      default_response_headers: filledHeaders(settings.default_response_headers),
      override_response_headers: filledHeaders(settings.override_response_headers),
    },
  };
}

function filledOrFirst<Row>(rows: readonly Row[], textOf: (row: Row) => string): readonly Row[] {
  const filled = rows.filter((row) => textOf(row).trim() !== "");
  return filled.length > 0 ? filled : rows.slice(0, 1);
}

/** What the REST API would be sent as JSON. Nothing is checked: the schema does that. */
export function backendRecord(form: BackendForm): Record<string, unknown> {
  return {
    ...form,
    frontend_host: inheritable(form.frontend_host),
    backend_host: inheritable(form.backend_host),
    servers: form.servers.map(({ host, port }) => ({ host, port: numeric(port) })),
    backend_tls: tlsInput(form.backend_tls),
    health_check: healthCheckInput(form.health_check),
    settings: settingsInput(form.settings),
  };
}

function settingsInput(settings: SettingsFields): Record<string, unknown> {
  const { rate_limit_mode } = settings;
  return {
    ...settings,
    require_https: inheritable(settings.require_https),
    disable_api_key: inheritable(settings.disable_api_key, isTrue),
    required_roles: lineItems(settings.required_roles),
    allowed_ips: lineItems(settings.allowed_ips),
    rate_limit_mode: inheritable(rate_limit_mode),
    // In the other modes limits mean nothing, and their rows are not shown.
    rate_limits: rate_limit_mode === "custom" ? settings.rate_limits.map(rateLimitInput) : [],
    rate_limit_bucket_name: inheritable(settings.rate_limit_bucket_name),
    anonymous_rate_limit_behavior: inheritable(settings.anonymous_rate_limit_behavior),
    authenticated_rate_limit_behavior: inheritable(settings.authenticated_rate_limit_behavior),
    disable_analytics: inheritable(settings.disable_analytics, isTrue),
    connect_timeout_seconds: inheritable(settings.connect_timeout_seconds, numeric),
    read_timeout_seconds: inheritable(settings.read_timeout_seconds, numeric),
    send_timeout_seconds: inheritable(settings.send_timeout_seconds, numeric),
    total_timeout_seconds: inheritable(settings.total_timeout_seconds, numeric),
    body_max_bytes: inheritable(settings.body_max_bytes, numeric),
  };
}

/** A choice between "true" and "false". */
function isTrue(text: string): boolean {
  return text === "true";
}

function rateLimitInput(fields: RateLimitFields): Record<string, unknown> {
  const duration = numeric(fields.duration);
  return {
    duration: typeof duration === "number" ? duration * Number(fields.unit) : duration,
    limit_by: fields.limit_by,
    limit: numeric(fields.limit),
    response_headers: fields.response_headers === "true",
  };
}

/** Fields that hold several items in one control. */
const lineFields: Record<string, (form: BackendForm) => string> = {
  "settings.required_roles": ({ settings }) => settings.required_roles,
  "settings.allowed_ips": ({ settings }) => settings.allowed_ips,
  "health_check.expected_statuses": ({ health_check }) => health_check.expected_statuses,
};

/** The sections that stand at the end of the form, though the record has their fields earlier. */
const lastSections = [
  /^backend_tls/,
  /^health_check/,
  /^balance_algorithm|^settings\.(.+_timeout_seconds|body_max_bytes|disable_analytics)$/,
];

function placeOnPage({ field = "" }: FieldError): number {
  return lastSections.findIndex((section) => section.test(field));
}

/**
 * The errors by the fields of the form and in its order: the first of each field, which is the one to put
 * right first, and for a list in one control the first that names each bad item. Where
 * a URL was pasted for a host, the message goes on with what to write instead.
 */
export function formErrors(errors: readonly FieldError[], form: BackendForm): FieldError[] {
  const first = errors.filter(({ field }, index) =>
    field === undefined || errors.findIndex((other) => other.field === field) === index
  );
  return first
    .map((error) => lineError(error, form) ?? hostError(error, form) ?? error)
    .toSorted((a, b) => placeOnPage(a) - placeOnPage(b));
}

function lineError(error: FieldError, form: BackendForm): FieldError | undefined {
  const [, field = "", index] = /^(.+)\[(\d+)\]$/.exec(error.field ?? "") ?? [];
  if (!Object.hasOwn(lineFields, field)) return undefined;
  const item = lineItems(lineFields[field]?.(form) ?? "")[Number(index)] ?? "";
  return { ...error, field, message: `“${item}” ${error.message}` };
}

function hostError(error: FieldError, form: BackendForm): FieldError | undefined {
  const { field = "" } = error;
  const [, index] = /^servers\[(\d+)\]\.host$/.exec(field) ?? [];
  const advice = index !== undefined
    ? hostAdvice(form.servers[Number(index)]?.host ?? "", true)
    : field === "frontend_host" || field === "backend_host"
    ? hostAdvice(form[field], false)
    : null;
  return advice === null ? undefined : { ...error, message: `${error.message}, ${advice}` };
}
