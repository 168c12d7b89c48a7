/** Between an API user's form and the record that `gateway/users/` keeps. Of the server alone. */
import type { FieldError } from "@/gateway/faults.ts";
import type { ApiUser } from "@/gateway/records/user.ts";
import { errorAtField } from "../fields/error_places.ts";
import { inheritable } from "../fields/field_text.ts";
import { fieldsForm, fieldsInput } from "../fields/fields_record.ts";
import { fieldTime } from "../logs/time_range.ts";
import { BACKEND_LIMITS, type UserForm } from "./user_form.ts";
import { detailFields, limitFields, userSettingFields } from "./user_table.ts";

/** The form of a user as it is stored; records of earlier versions lack some fields. */
export function userForm(user: ApiUser): UserForm {
  const { settings } = user;
  return {
    email: user.email,
    first_name: user.first_name,
    last_name: user.last_name,
    use_description: user.use_description,
    details: fieldsForm(detailFields, user),
    roles: user.roles,
    enabled: ticked(user.enabled),
    email_verified: ticked(user.email_verified ?? false),
    throttle_by_ip: ticked(user.throttle_by_ip ?? false),
    expires_at: fieldTime(user.expires_at ?? ""),
    settings: fieldsForm(userSettingFields, settings),
    backend_limits: (settings.backend_limits ?? []).map(({ backend_id, ...limits }) => ({
      backend_id,
      limits: fieldsForm(limitFields, limits),
    })),
  };
}

function ticked(yes: boolean): string {
  return yes ? "true" : "";
}

/** What the REST API would be sent as JSON. Nothing is checked: the schema does that. */
export function userRecord(form: UserForm): Record<string, unknown> {
  const { details, settings, backend_limits, ...fields } = form;
  const { metadata, ...others } = fieldsInput(detailFields, details);
  return {
    ...fields,
    ...others,
    metadata: details.metadata.trim() === "" ? null : metadata,
    enabled: fields.enabled === "true",
    email_verified: fields.email_verified === "true",
    throttle_by_ip: fields.throttle_by_ip === "true",
    expires_at: inheritable(fields.expires_at, withZone),
    settings: {
      ...fieldsInput(userSettingFields, settings),
      backend_limits: backend_limits.map(({ backend_id, limits }) => ({
        backend_id,
        ...fieldsInput(limitFields, limits),
      })),
    },
  };
}

/** The control for a date and time knows no zone; ours are in UTC. */
function withZone(text: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text.trim()) ? `${text.trim()}Z` : text.trim();
}

/**
 * The errors by the fields of the form; those that speak to whoever signs up speak of
 * somebody else here.
 */
export function userErrors(errors: readonly FieldError[], form: UserForm): FieldError[] {
  const groups = [
    { path: "", table: detailFields, form: form.details },
    { path: "settings", table: userSettingFields, form: form.settings },
    ...form.backend_limits.map(({ limits }, index) => (
      { path: `${BACKEND_LIMITS}[${index}]`, table: limitFields, form: limits }
    )),
  ];
  return errors
    .map((error) => ({
      ...error,
      message: error.message.replace(/^Provide your /, "Provide their "),
    }))
    .map((error) => errorAtField(error, groups) ?? error)
    .filter(({ field }, index, all) =>
      field === undefined || all.findIndex((other) => other.field === field) === index
    );
}
