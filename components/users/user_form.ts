/**
 * An API user as its form holds it: everything is the text that was typed, so a form
 * that comes back shows it again to the letter.
 */
import { type FieldsForm, mapFields, readFields } from "../fields/fields_form.ts";
import { nestedFields, textAt, textsAt, treeAt, treesAt } from "../nested_fields.ts";
import {
  type DetailFields,
  detailFields,
  type LimitFields,
  limitFields,
  type UserSettingFields,
  userSettingFields,
} from "./user_table.ts";

export interface BackendLimitsForm {
  readonly backend_id: string;
  readonly limits: FieldsForm<LimitFields>;
}

export interface UserForm {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly use_description: string;
  readonly details: FieldsForm<DetailFields>;
  readonly roles: readonly string[];
  /** These four are "true" or nothing, as a checkbox sends it. */
  readonly enabled: string;
  readonly email_verified: string;
  readonly throttle_by_ip: string;
  /** Date and time in UTC, as its control has it, or with a zone. */
  readonly expires_at: string;
  readonly settings: FieldsForm<UserSettingFields>;
  readonly backend_limits: readonly BackendLimitsForm[];
}

/** Where limits for single backends are in the record. */
export const BACKEND_LIMITS = "settings.backend_limits";

export const blankBackendLimits: BackendLimitsForm = {
  backend_id: "",
  limits: mapFields(limitFields, ({ control }) => control === "rows" ? [] : ""),
};

/** The form of a user who is not there yet. */
export const newUserForm: UserForm = { ...readUserForm([]), enabled: "true" };

/** Reads the fields of the form, as they were posted or as they stand in the page. */
export function readUserForm(entries: Iterable<readonly [string, unknown]>): UserForm {
  const tree = nestedFields(entries);
  const settings = treeAt(tree, "settings");
  return {
    email: textAt(tree, "email"),
    first_name: textAt(tree, "first_name"),
    last_name: textAt(tree, "last_name"),
    use_description: textAt(tree, "use_description").replaceAll("\r\n", "\n"),
    details: readFields(detailFields, tree),
    roles: textsAt(tree, "roles"),
    enabled: textAt(tree, "enabled"),
    email_verified: textAt(tree, "email_verified"),
    throttle_by_ip: textAt(tree, "throttle_by_ip"),
    expires_at: textAt(tree, "expires_at"),
    settings: readFields(userSettingFields, settings),
    backend_limits: treesAt(settings, "backend_limits").map((row) => ({
      backend_id: textAt(row, "backend_id"),
      limits: readFields(limitFields, row),
    })),
  };
}
