/** What the fields of a backend are called, on its form and wherever a change to one is told. */
import { fieldSteps } from "../nested_fields.ts";
import { healthCheckFields, tlsFields } from "./server_fields.ts";
import { decapitalized, type Field, type FieldTable, rowKind } from "../fields/field_kinds.ts";
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

/** A field of one of the tables, and what of the path is within it: `[0].key`. */
export interface PlacedField {
  readonly field: Field;
  readonly rest: string;
}

/** The field that a path is of or lies in, whichever backend or sub-URL it belongs to. */
export function placedField(path: string): PlacedField | null {
  const own = path.replace(/^sub_settings\[\d+\]\./, "");
  const [first = ""] = own.split(/[.[]/, 1);
  const table = Object.hasOwn(tables, first) ? tables[first] : undefined;
  return table === undefined ? null : placedIn(table, own.slice(first.length + 1));
}

/** The field of a table that a path within it is of or lies in. */
export function placedIn(table: FieldTable, path: string): PlacedField | null {
  const steps = path.split(/(?=[.[])/);
  for (let length = steps.length; length > 0; length--) {
    const name = steps.slice(0, length).join("");
    const field = Object.hasOwn(table, name) ? table[name] : undefined;
    if (field !== undefined) return { field, rest: steps.slice(length).join("") };
  }
  return null;
}

/** The label of the field itself, as it stands beside its control: `Host`. */
export function fieldLabel(path: string): string {
  const placed = placedField(path);
  if (placed !== null) return labelWithin(placed);
  const name = path.replaceAll(/\[\d+\]/g, "");
  return Object.hasOwn(labels, name) ? labels[name] ?? path : path;
}

/** The label of a field, or of the column of a list that a path leads to. */
export function labelWithin({ field, rest }: PlacedField): string {
  const column = field.control === "rows"
    ? rowKind(field.kind).columns[rest.replace(/^\[\d+\]\.?/, "")]
    : undefined;
  return column?.label ?? field.label;
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

/** The label with the item of a list in front. */
export function titleWithin({ field, rest }: PlacedField): string {
  if (field.control === "yaml" && rest !== "") {
    return `${field.label}: ${rest.slice(1).replaceAll(".", ", ")}`;
  }
  const [, index, inner = ""] = /^\[(\d+)\](.*)$/.exec(rest) ?? [];
  if (index === undefined || (field.control !== "rows" && field.control !== "lines")) {
    return field.label;
  }
  const row = rowName(field.item, index);
  return inner === "" ? row : `${row}: ${decapitalized(labelWithin({ field, rest }))}`;
}

function listTitle(path: string): string {
  const [list, index, ...inner] = fieldSteps(path) ?? [];
  const label = Object.hasOwn(rowLabels, String(list)) ? rowLabels[String(list)] : undefined;
  if (label === undefined || index === undefined) return fieldLabel(path);
  const row = rowName(label, index);
  return inner.length === 0 ? row : `${row}: ${decapitalized(fieldLabel(path))}`;
}

function rowName(label: string, index: string | number): string {
  return `${label} ${Number(index) + 1}`;
}
