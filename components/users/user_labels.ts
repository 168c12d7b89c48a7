/** What the fields of an API user are called, on its form and in the summary of its errors. */
import {
  labelOfPath,
  labelWithin,
  type PlacedField,
  placedIn,
  titleWithin,
} from "../fields/field_titles.ts";
import { decapitalized } from "../fields/wording.ts";
import { BACKEND_LIMITS } from "./user_form.ts";
import { detailFields, limitFields, userSettingFields } from "./user_table.ts";

const labels: Record<string, string> = {
  email: "Email",
  first_name: "First name",
  last_name: "Last name",
  use_description: "How the APIs are used",
  roles: "Roles",
  enabled: "The key is enabled",
  email_verified: "The email address is verified",
  expires_at: "Expires (UTC)",
  throttle_by_ip: "Calls are counted by IP address",
  [BACKEND_LIMITS]: "Limits for single backends",
  [`${BACKEND_LIMITS}.backend_id`]: "API backend",
};

/** The label of the field itself, as it stands beside its control. */
export function userFieldLabel(path: string): string {
  const placed = placedUserField(path);
  return placed === null ? labelOfPath(labels, path) : labelWithin(placed);
}

/** The label with its row in front, for where the field stands alone. */
export function userFieldTitle(path: string): string {
  const [, role] = /^roles\[(\d+)\]$/.exec(path) ?? [];
  if (role !== undefined) return `Role ${Number(role) + 1}`;
  const placed = placedUserField(path);
  const title = placed === null ? userFieldLabel(path) : titleWithin(placed);
  const [, row] = LIMITS_FOR_BACKEND.exec(path) ?? [];
  return row === undefined
    ? title
    : `Limits for single backends, ${Number(row) + 1}: ${decapitalized(title)}`;
}

const LIMITS_FOR_BACKEND = /^settings\.backend_limits\[(\d+)\]\.?(.*)$/;

function placedUserField(path: string): PlacedField | null {
  const [, , limits] = LIMITS_FOR_BACKEND.exec(path) ?? [];
  if (limits !== undefined) return placedIn(limitFields, limits);
  return path.startsWith("settings.")
    ? placedIn(userSettingFields, path.slice("settings.".length))
    : placedIn(detailFields, path);
}
