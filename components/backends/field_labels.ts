/** What the fields of a backend are called, on its form and wherever a change to one is told. */
import { fieldSteps } from "../nested_fields.ts";

const labels: Record<string, string> = {
  name: "Name",
  backend_protocol: "Backend protocol",
  frontend_host: "Frontend host",
  backend_host: "Backend host",
  balance_algorithm: "Balancing",
  server_host: "Server host",
  server_port: "Server port",
  servers: "Servers",
  "servers.host": "Host",
  "servers.port": "Port",
  backend_tls: "Verification",
  "backend_tls.verify": "Certificates of the servers",
  "backend_tls.ca": "Certificates to trust",
  "backend_tls.server_name": "Server name",
  health_check: "Health check",
  "health_check.path": "Path",
  "health_check.interval_seconds": "Interval",
  "health_check.timeout_seconds": "Timeout",
  "health_check.healthy_after": "Healthy after",
  "health_check.unhealthy_after": "Unhealthy after",
  "health_check.expected_statuses": "Expected statuses",
  url_matches: "URL prefixes",
  "url_matches.frontend_prefix": "Frontend prefix",
  "url_matches.backend_prefix": "Backend prefix",
  "settings.require_https": "HTTPS",
  "settings.disable_api_key": "API key",
  "settings.required_roles": "Required roles",
  "settings.allowed_ips": "Allowed IP addresses",
  "settings.rate_limit_mode": "Rate limit",
  "settings.rate_limits": "Limits",
  "settings.rate_limits.duration": "Duration",
  "settings.rate_limits.limit_by": "Counted by",
  "settings.rate_limits.limit": "Calls",
  "settings.rate_limits.response_headers": "Told in response headers",
  "settings.rate_limit_bucket_name": "Rate limit bucket",
  "settings.anonymous_rate_limit_behavior": "Calls without a key",
  "settings.authenticated_rate_limit_behavior": "Calls with a key",
  "settings.disable_analytics": "Analytics",
  "settings.headers": "Request headers",
  "settings.headers.key": "Name",
  "settings.headers.value": "Value",
  "settings.default_response_headers": "Default response headers",
  "settings.default_response_headers.key": "Name",
  "settings.default_response_headers.value": "Value",
  "settings.override_response_headers": "Override response headers",
  "settings.override_response_headers.key": "Name",
  "settings.override_response_headers.value": "Value",
  "settings.connect_timeout_seconds": "Connect timeout",
  "settings.read_timeout_seconds": "Read timeout",
  "settings.send_timeout_seconds": "Send timeout",
  "settings.total_timeout_seconds": "Total timeout",
  "settings.body_max_bytes": "Largest request body",
};

/** What one row of a list is called. */
const rowLabels: Record<string, string> = {
  servers: "Server",
  "health_check.expected_statuses": "Expected status",
  url_matches: "URL prefix",
  "settings.required_roles": "Required role",
  "settings.allowed_ips": "Allowed IP address",
  "settings.rate_limits": "Limit",
  "settings.headers": "Request header",
  "settings.default_response_headers": "Default response header",
  "settings.override_response_headers": "Override response header",
};

/** The label of the field itself, as it stands beside its control: `Host`. */
export function fieldLabel(path: string): string {
  const name = path.replaceAll(/\[\d+\]/g, "");
  return Object.hasOwn(labels, name) ? labels[name] ?? path : path;
}

/**
 * The label with its row or group in front, for where the field stands alone:
 * `Server 1: host`, `Health check: path`.
 */
export function fieldTitle(path: string): string {
  if (!path.startsWith("health_check.")) return rowTitle(path);
  return `${fieldLabel("health_check")}: ${decapitalized(rowTitle(path))}`;
}

function rowTitle(path: string): string {
  const steps = fieldSteps(path) ?? [];
  const at = steps.findIndex((step) => typeof step === "number");
  const list = steps.slice(0, at).join(".");
  if (at === -1 || !Object.hasOwn(rowLabels, list)) return fieldLabel(path);
  const row = `${rowLabels[list]} ${Number(steps[at]) + 1}`;
  if (at === steps.length - 1) return row;
  return `${row}: ${decapitalized(fieldLabel(path))}`;
}

function decapitalized(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}
