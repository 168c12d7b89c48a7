/** What is set in each section of a backend's form, in a few words. */
import type { BackendForm, HeaderFields } from "./backend_form.ts";
import { lineItems } from "./field_text.ts";
import type { Inherited } from "./inherited.ts";
import { pastedUrl } from "./pasted_url.ts";
import { healthCheckDefaults } from "./server_fields.ts";

export function serversSummary({ backend_protocol, servers }: BackendForm): string {
  const named = servers.filter(({ host }) => host.trim() !== "");
  const [first] = named;
  if (first === undefined) return "no server yet";
  const pasted = pastedUrl(first.host);
  const port = first.port.trim() || (pasted?.port ?? "");
  const more = named.length === 1 ? "" : ` and ${named.length - 1} more`;
  const server = `${pasted?.host ?? first.host.trim()}${port === "" ? "" : `:${port}`}`;
  return `${backend_protocol}://${server}${more}`;
}

export function hostSummary({ frontend_host, backend_host }: BackendForm): string {
  const frontend = frontend_host.trim() || "*";
  return `${frontend === "*" ? "any host" : frontend} → ${backend_host.trim() || "the same"}`;
}

export function prefixesSummary({ url_matches }: BackendForm): string {
  const named = url_matches.filter(({ frontend_prefix }) => frontend_prefix.trim() !== "");
  const [first] = named;
  if (first === undefined) return "no prefix yet";
  const from = first.frontend_prefix.trim();
  const more = named.length === 1 ? "" : ` and ${named.length - 1} more`;
  return `${from} → ${first.backend_prefix.trim() || from}${more}`;
}

export function accessSummary({ settings }: BackendForm, inherited: Inherited): string {
  const key = keyWords(settings.disable_api_key, inherited.disable_api_key);
  const roles = lineItems(settings.required_roles).length;
  const addresses = lineItems(settings.allowed_ips).length;
  return [
    `key ${key}`,
    roles > 0 && counted(roles, "role"),
    settings.require_https === "required_return_error" && "HTTPS only",
    addresses > 0 && counted(addresses, "IP range"),
  ].filter((part) => part !== false).join(", ");
}

function keyWords(own: string, inherited: string): string {
  if (own === "true") return "not required";
  return own === "false" ? "required" : inherited;
}

export function rateLimitSummary({ settings }: BackendForm, inherited: Inherited): string {
  if (settings.rate_limit_mode === "unlimited") return "unlimited";
  if (settings.rate_limit_mode !== "custom") return `inherited: ${inherited.rate_limit_mode}`;
  return counted(settings.rate_limits.length, "custom limit");
}

export function headersSummary({ settings }: BackendForm): string {
  const request = named(settings.headers);
  const response = named(settings.default_response_headers) +
    named(settings.override_response_headers);
  if (request + response === 0) return "passed on as they are";
  return [
    request > 0 && `${request} to the backend`,
    response > 0 && `${response} to the caller`,
  ].filter((part) => part !== false).join(", ");
}

export function tlsSummary({ backend_protocol, backend_tls }: BackendForm): string {
  if (backend_protocol !== "https") return "plain http";
  if (backend_tls.verify === "false") return "not verified";
  const name = backend_tls.server_name.trim();
  return [
    "verified",
    name !== "" && `as ${name}`,
    backend_tls.ca.trim() !== "" && "own certificates trusted",
  ].filter((part) => part !== false).join(", ");
}

export function healthCheckSummary({ health_check }: BackendForm): string {
  const path = health_check.path.trim();
  if (path === "") return "no checks";
  const interval = health_check.interval_seconds.trim() || healthCheckDefaults.interval_seconds;
  return `GET ${path} every ${interval} s`;
}

export function advancedSummary({ balance_algorithm, settings }: BackendForm): string {
  const timeouts = [
    settings.connect_timeout_seconds,
    settings.read_timeout_seconds,
    settings.send_timeout_seconds,
    settings.total_timeout_seconds,
  ].filter((text) => text.trim() !== "").length;
  return [
    balancingWords(balance_algorithm),
    timeouts > 0 && counted(timeouts, "custom timeout"),
    settings.body_max_bytes.trim() !== "" && "body limit",
    settings.disable_analytics === "true" && "not in Analytics",
  ].filter((part) => part !== false).join(", ");
}

function balancingWords(algorithm: string): string {
  if (algorithm === "ip_hash") return "by source IP address";
  return algorithm === "round_robin" ? "round robin" : "least connections";
}

function named(rows: readonly HeaderFields[]): number {
  return rows.filter(({ key }) => key.trim() !== "").length;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
