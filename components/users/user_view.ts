/** What the sections of an API user's form are given. */
import type { FieldView } from "../fields/field_view.ts";
import type { UserForm } from "./user_form.ts";

/** A backend that a user may have limits for. */
export interface LimitedBackend {
  readonly id: string;
  readonly name: string;
}

export interface UserView extends FieldView {
  readonly form: UserForm;
  /** By name. */
  readonly backends: readonly LimitedBackend[];
  /** Roles that users have or backends ask for, to choose from. */
  readonly knownRoles: readonly string[];
}
