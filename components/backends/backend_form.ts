/**
 * A backend as its form holds it: everything is the text that was typed, so a
 * form that comes back shows it again to the letter. The server reads what was
 * posted with this, the browser what stands in the fields.
 */
import type { BackendInput } from "@/gateway/records/backend.ts";
import {
  type FieldTree,
  nestedFields,
  textAt,
  textsAt,
  treeAt,
  treesAt,
} from "../nested_fields.ts";
import {
  type HealthCheckFields,
  healthCheckFields,
  readHealthCheck,
  readTls,
  type TlsFields,
  tlsFields,
} from "./server_fields.ts";

export interface ServerFields {
  readonly host: string;
  readonly port: string;
}

export interface PrefixFields {
  readonly frontend_prefix: string;
  readonly backend_prefix: string;
}

export interface HeaderFields {
  readonly key: string;
  readonly value: string;
}

export interface RateLimitFields {
  /** How many of `unit`; with the unit "1" it is milliseconds, as in JSON. */
  readonly duration: string;
  /** Milliseconds. */
  readonly unit: string;
  readonly limit_by: string;
  readonly limit: string;
  /** "true" or nothing, as a checkbox sends it. */
  readonly response_headers: string;
}

export interface SettingsFields {
  readonly require_https: string;
  readonly disable_api_key: string;
  /** One a line, as in `allowed_ips`. */
  readonly required_roles: string;
  readonly allowed_ips: string;
  readonly rate_limit_mode: string;
  readonly rate_limits: readonly RateLimitFields[];
  readonly rate_limit_bucket_name: string;
  readonly anonymous_rate_limit_behavior: string;
  readonly authenticated_rate_limit_behavior: string;
  readonly disable_analytics: string;
  readonly headers: readonly HeaderFields[];
  readonly default_response_headers: readonly HeaderFields[];
  readonly override_response_headers: readonly HeaderFields[];
  readonly connect_timeout_seconds: string;
  readonly read_timeout_seconds: string;
  readonly send_timeout_seconds: string;
  readonly total_timeout_seconds: string;
  readonly body_max_bytes: string;
}

export interface BackendForm {
  readonly name: string;
  readonly backend_protocol: string;
  readonly frontend_host: string;
  readonly backend_host: string;
  readonly balance_algorithm: string;
  readonly servers: readonly ServerFields[];
  readonly backend_tls: TlsFields;
  readonly health_check: HealthCheckFields;
  readonly url_matches: readonly PrefixFields[];
  readonly settings: SettingsFields;
}

/** The units that a limit's duration is shown in, in milliseconds, longest first. */
export const durationUnits = [
  { value: "86400000", label: "days" },
  { value: "3600000", label: "hours" },
  { value: "60000", label: "minutes" },
  { value: "1000", label: "seconds" },
] as const;

export const blankRows = {
  servers: { host: "", port: "" },
  url_matches: { frontend_prefix: "", backend_prefix: "" },
  headers: { key: "", value: "" },
  rate_limits: {
    duration: "1",
    unit: "3600000",
    limit_by: "api_key",
    limit: "",
    response_headers: "",
  },
} as const;

/** The form of a backend that is not there yet; `entries` may fill some of it in. */
export function newBackendForm(entries: Iterable<readonly [string, unknown]> = []): BackendForm {
  const form = readBackendForm(entries);
  return {
    ...form,
    frontend_host: form.frontend_host === "" ? "*" : form.frontend_host,
    servers: form.servers.length > 0 ? form.servers : [blankRows.servers],
    url_matches: form.url_matches.length > 0 ? form.url_matches : [blankRows.url_matches],
  };
}

/** The form of a backend as it is stored. */
export function backendForm(backend: BackendInput): BackendForm {
  const { settings } = backend;
  const text = (value: unknown) => value === null || value === undefined ? "" : String(value);
  return {
    name: backend.name,
    backend_protocol: backend.backend_protocol,
    frontend_host: backend.frontend_host,
    backend_host: text(backend.backend_host),
    balance_algorithm: backend.balance_algorithm,
    servers: backend.servers.map(({ host, port }) => ({ host, port: String(port) })),
    backend_tls: tlsFields(backend.backend_tls),
    health_check: healthCheckFields(backend.health_check),
    url_matches: backend.url_matches,
    settings: {
      require_https: text(settings.require_https),
      disable_api_key: text(settings.disable_api_key),
      required_roles: settings.required_roles.join("\n"),
      allowed_ips: settings.allowed_ips.join("\n"),
      rate_limit_mode: text(settings.rate_limit_mode),
      rate_limits: settings.rate_limits.map((limit) => ({
        ...durationFields(limit.duration),
        limit_by: limit.limit_by,
        limit: String(limit.limit),
        response_headers: limit.response_headers ? "true" : "",
      })),
      rate_limit_bucket_name: text(settings.rate_limit_bucket_name),
      anonymous_rate_limit_behavior: text(settings.anonymous_rate_limit_behavior),
      authenticated_rate_limit_behavior: text(settings.authenticated_rate_limit_behavior),
      disable_analytics: text(settings.disable_analytics),
      headers: settings.headers,
      default_response_headers: settings.default_response_headers,
      override_response_headers: settings.override_response_headers,
      connect_timeout_seconds: text(settings.connect_timeout_seconds),
      read_timeout_seconds: text(settings.read_timeout_seconds),
      send_timeout_seconds: text(settings.send_timeout_seconds),
      total_timeout_seconds: text(settings.total_timeout_seconds),
      body_max_bytes: text(settings.body_max_bytes),
    },
  };
}

/** Milliseconds in the longest unit that they are a whole number of. */
function durationFields(milliseconds: number): Pick<RateLimitFields, "duration" | "unit"> {
  const unit = durationUnits.find(({ value }) => milliseconds % Number(value) === 0)?.value ?? "1";
  return { duration: String(milliseconds / Number(unit)), unit };
}

/** Reads the fields of the form, as they were posted or as they stand in the page. */
export function readBackendForm(entries: Iterable<readonly [string, unknown]>): BackendForm {
  const tree = nestedFields(entries);
  return {
    name: textAt(tree, "name"),
    backend_protocol: textAt(tree, "backend_protocol", "http"),
    frontend_host: textAt(tree, "frontend_host"),
    backend_host: textAt(tree, "backend_host"),
    balance_algorithm: textAt(tree, "balance_algorithm", "least_conn"),
    servers: treesAt(tree, "servers").map((row) => ({
      host: textAt(row, "host"),
      port: textAt(row, "port"),
    })),
    backend_tls: readTls(treeAt(tree, "backend_tls")),
    health_check: readHealthCheck(treeAt(tree, "health_check")),
    url_matches: treesAt(tree, "url_matches").map((row) => ({
      frontend_prefix: textAt(row, "frontend_prefix"),
      backend_prefix: textAt(row, "backend_prefix"),
    })),
    settings: readSettings(treeAt(tree, "settings")),
  };
}

function readSettings(tree: FieldTree): SettingsFields {
  return {
    require_https: textAt(tree, "require_https"),
    disable_api_key: textAt(tree, "disable_api_key"),
    required_roles: readLines(tree, "required_roles"),
    allowed_ips: readLines(tree, "allowed_ips"),
    rate_limit_mode: textAt(tree, "rate_limit_mode"),
    rate_limits: treesAt(tree, "rate_limits").map((row) => ({
      duration: textAt(row, "duration"),
      unit: textAt(row, "unit", "1"),
      limit_by: textAt(row, "limit_by", "api_key"),
      limit: textAt(row, "limit"),
      response_headers: textAt(row, "response_headers"),
    })),
    rate_limit_bucket_name: textAt(tree, "rate_limit_bucket_name"),
    anonymous_rate_limit_behavior: textAt(tree, "anonymous_rate_limit_behavior"),
    authenticated_rate_limit_behavior: textAt(tree, "authenticated_rate_limit_behavior"),
    disable_analytics: textAt(tree, "disable_analytics"),
    headers: readHeaders(tree, "headers"),
    default_response_headers: readHeaders(tree, "default_response_headers"),
    override_response_headers: readHeaders(tree, "override_response_headers"),
    connect_timeout_seconds: textAt(tree, "connect_timeout_seconds"),
    read_timeout_seconds: textAt(tree, "read_timeout_seconds"),
    send_timeout_seconds: textAt(tree, "send_timeout_seconds"),
    total_timeout_seconds: textAt(tree, "total_timeout_seconds"),
    body_max_bytes: textAt(tree, "body_max_bytes"),
  };
}

/** One field with a line an item, or a field for each item. */
function readLines(tree: FieldTree, name: string): string {
  const items = textsAt(tree, name);
  return items.length > 0 ? items.join("\n") : textAt(tree, name);
}

function readHeaders(tree: FieldTree, name: string): HeaderFields[] {
  return treesAt(tree, name).map((row) => ({
    key: textAt(row, "key"),
    value: textAt(row, "value"),
  }));
}
