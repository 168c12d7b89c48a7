/** What a post of a backend's form asks for: to save it, or to show it with other rows. */
import type { FieldErrors } from "../form_errors.ts";
import { type BackendForm, readBackendForm } from "./backend_form.ts";
import { withoutBlankRows } from "./form_record.ts";
import { placeAfter, withRowAction } from "./form_rows.ts";

/** What the page shows. */
export interface ShownForm {
  readonly form: BackendForm;
  readonly errors: FieldErrors;
  /** The field, list or button to go on with. */
  readonly focus: string | null;
  readonly unsaved: boolean;
}

export type PostedForm =
  | { readonly wants: "rows"; readonly shown: ShownForm }
  | { readonly wants: "save"; readonly form: BackendForm; readonly version: number | undefined };

export function readPostedForm(fields: Readonly<Record<string, string>>): PostedForm {
  const form = readBackendForm(Object.entries(fields));
  const action = fields._action ?? "";
  const changed = withRowAction(form, action);
  if (changed !== null) {
    const focus = placeAfter(changed, action);
    return { wants: "rows", shown: { form: changed, errors: [], focus, unsaved: true } };
  }
  const version = /^\d{1,15}$/.test(fields.version ?? "") ? Number(fields.version) : undefined;
  return { wants: "save", form: withoutBlankRows(form), version };
}
