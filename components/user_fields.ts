/** Between the record of an API user and the form that shows it. */
import type { ApiUser } from "@/gateway/records/user.ts";
import type { FieldErrors } from "./form_errors.ts";

/** What stands in the form. */
export interface UserFields {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly use_description: string;
  /** Separated by commas. */
  readonly roles: string;
  readonly enabled: boolean;
  readonly throttle_by_ip: boolean;
  /** Of the record the form was made from; empty for a new one. */
  readonly version: string;
}

export const emptyUser: UserFields = {
  email: "",
  first_name: "",
  last_name: "",
  use_description: "",
  roles: "",
  enabled: true,
  throttle_by_ip: false,
  version: "",
};

export function fieldsOfUser(user: ApiUser): UserFields {
  const { email, first_name, last_name, use_description, enabled } = user;
  return {
    email,
    first_name,
    last_name,
    use_description,
    enabled,
    // Absent in records from before there was this field.
    throttle_by_ip: user.throttle_by_ip ?? false,
    roles: user.roles.join(", "),
    version: String(user.version),
  };
}

/** What was typed; a box that is not ticked is not sent. */
export function typedUser(form: Readonly<Record<string, string>>): UserFields {
  const typed = Object.keys(emptyUser).map((name) => [name, form[name] ?? ""]);
  return {
    ...emptyUser,
    ...Object.fromEntries(typed),
    enabled: form.enabled !== undefined,
    throttle_by_ip: form.throttle_by_ip !== undefined,
  };
}

/** The record as it is to be validated. */
export function userRecord({ version: _version, roles, ...fields }: UserFields) {
  return { ...fields, roles: roles.split(",").map((role) => role.trim()).filter(Boolean) };
}

/** The roles are one field on the page: what is wrong with one of them is shown there. */
export function userErrors(errors: FieldErrors): FieldErrors {
  return errors.map((error) =>
    error.field?.startsWith("roles[") ? { ...error, field: "roles" } : error
  );
}
