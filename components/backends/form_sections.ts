/** The sections of a backend's form: in which order they stand, and which fields are in each. */
import { isWithin } from "../fields/field_path.ts";
import { settingGroups } from "./settings/table.ts";

function settingsOf(group: keyof typeof settingGroups): string[] {
  return Object.keys(settingGroups[group]).map((name) => `settings.${name}`);
}

/** The paths of each section's fields, or what they begin with. */
const formSections = {
  name: ["name"],
  servers: ["backend_protocol", "servers", "balance_algorithm"],
  host: ["frontend_host", "backend_host"],
  prefixes: ["url_matches"],
  access: settingsOf("access"),
  cors: settingsOf("cors"),
  limits: settingsOf("limits"),
  request: [...settingsOf("request"), "rewrites"],
  answer: settingsOf("answer"),
  cache: settingsOf("cache"),
  sub_urls: ["sub_settings"],
  tls: ["backend_tls"],
  health_check: ["health_check"],
  advanced: settingsOf("advanced"),
} as const satisfies Record<string, readonly string[]>;

const fieldsInOrder: readonly string[] = Object.values(formSections).flat();

/** The place of a field in the form; those of a sub-URL have the place of them all. */
export function placeOnPage(path: string): number {
  return fieldsInOrder.findIndex((field) => isWithin(path, field));
}
