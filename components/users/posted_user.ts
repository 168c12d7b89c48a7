/** What a post of an API user's form asks for: to save it, or to show it with other rows. */
import type { FieldErrors } from "../form_errors.ts";
import { readUserForm, type UserForm } from "./user_form.ts";
import { withoutBlankUserRows } from "./user_record.ts";
import { placeAfter, withUserRowAction } from "./user_rows.ts";

/** What the page shows. */
export interface ShownUserForm {
  readonly form: UserForm;
  readonly errors: FieldErrors;
  /** The field or list to go on with. */
  readonly focus: string | null;
  readonly unsaved: boolean;
}

export type PostedUserForm =
  | { readonly wants: "rows"; readonly shown: ShownUserForm }
  | { readonly wants: "save"; readonly form: UserForm; readonly version: number | undefined };

export function readPostedUser(fields: Readonly<Record<string, string>>): PostedUserForm {
  const form = readUserForm(Object.entries(fields));
  const action = fields._action ?? "";
  const changed = withUserRowAction(form, action);
  if (changed !== null) {
    const focus = placeAfter(changed, action);
    return { wants: "rows", shown: { form: changed, errors: [], focus, unsaved: true } };
  }
  const version = /^\d{1,15}$/.test(fields.version ?? "") ? Number(fields.version) : undefined;
  return { wants: "save", form: withoutBlankUserRows(form), version };
}
