/** What the fields of a backend are called, on its form and wherever a change to one is told. */
import type { FieldTable } from "../fields/field_kinds.ts";
import {
  labelOfPath,
  labelWithin,
  type PlacedField,
  placedIn,
  rowName,
  titleWithin,
} from "../fields/field_titles.ts";
import { decapitalized } from "../fields/wording.ts";
import { fieldSteps } from "../nested_fields.ts";
import { healthCheckFields, tlsFields } from "./server_fields.ts";
import { settingFields } from "./settings/table.ts";

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
  health_check: "Health check",
  url_matches: "URL prefixes",
  "url_matches.frontend_prefix": "Frontend prefix",
  "url_matches.backend_prefix": "Backend prefix",
  sub_settings: "Sub-URLs",
  "sub_settings.http_method": "Method",
  "sub_settings.regex": "Regular expression",
  rewrites: "Rewrites",
  "rewrites.matcher_type": "Kind",
  "rewrites.http_method": "Method",
  "rewrites.frontend_matcher": "What is matched",
  "rewrites.backend_replacement": "What takes its place",
};

/** What one row of a list is called. */
const rowLabels: Record<string, string> = {
  servers: "Server",
  url_matches: "URL prefix",
  sub_settings: "Sub-URL",
  rewrites: "Rewrite",
};

const tables: Record<string, FieldTable> = {
  settings: settingFields,
  backend_tls: tlsFields,
  health_check: healthCheckFields,
};

/** The field that a path is of or lies in, whichever backend or sub-URL it belongs to. */
export function placedField(path: string): PlacedField | null {
  const own = path.replace(/^sub_settings\[\d+\]\./, "");
  const [first = ""] = own.split(/[.[]/, 1);
  const table = Object.hasOwn(tables, first) ? tables[first] : undefined;
  return table === undefined ? null : placedIn(table, own.slice(first.length + 1));
}

/** The label of the field itself, as it stands beside its control: `Host`. */
export function fieldLabel(path: string): string {
  const placed = placedField(path);
  return placed === null ? labelOfPath(labels, path) : labelWithin(placed);
}

/**
 * The label with its row or group in front, for where the field stands alone:
 * `Server 1: host`, `Health check: path`, `Sub-URL 2: required role 1`.
 */
export function fieldTitle(path: string): string {
  const [, sub, rest = ""] = /^sub_settings\[(\d+)\]\.(settings\..+)$/.exec(path) ?? [];
  if (sub !== undefined) return `${rowName("Sub-URL", sub)}: ${decapitalized(fieldTitle(rest))}`;
  const placed = placedField(path);
  if (placed === null) return listTitle(path);
  const title = titleWithin(placed);
  if (!path.startsWith("health_check.")) return title;
  return `${fieldLabel("health_check")}: ${decapitalized(title)}`;
}

function listTitle(path: string): string {
  const [list, index, ...inner] = fieldSteps(path) ?? [];
  const label = Object.hasOwn(rowLabels, String(list)) ? rowLabels[String(list)] : undefined;
  if (label === undefined || index === undefined) return fieldLabel(path);
  const row = rowName(label, index);
  return inner.length === 0 ? row : `${row}: ${decapitalized(fieldLabel(path))}`;
}
