/** What a post of a form with lists asks for: to save it, or to show it with other rows. */
import type { FieldErrors } from "../form_errors.ts";
import { seenVersion } from "../seen_version.ts";
import type { FormEdits } from "./form_edits.ts";

/** What the page shows. */
export interface ShownForm<Form> {
  readonly form: Form;
  readonly errors: FieldErrors;
  /** The field, list or button to go on with. */
  readonly focus: string | null;
  /** Whether the form came back from the server with what was typed, unsaved. */
  readonly unsaved: boolean;
}

export type PostedForm<Form> =
  | { readonly wants: "rows"; readonly shown: ShownForm<Form> }
  | { readonly wants: "save"; readonly form: Form; readonly version: number | undefined };

/** @param fields What was posted, by name; `_action` is the value of the button. */
export function readPostedForm<Form>(
  fields: Readonly<Record<string, string>>,
  edits: FormEdits<Form>,
): PostedForm<Form> {
  const form = edits.read(Object.entries(fields));
  const action = fields._action ?? "";
  const changed = edits.withRowAction(form, action);
  if (changed !== null) {
    const focus = edits.placeAfter(changed, action);
    return { wants: "rows", shown: { form: changed, errors: [], focus, unsaved: true } };
  }
  return {
    wants: "save",
    form: edits.withoutBlankRows(form),
    version: seenVersion(fields.version),
  };
}
