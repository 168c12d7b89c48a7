/** What the sections of a form are given. */
import type { FieldErrors } from "../form_errors.ts";
import type { BackendForm } from "./backend_form.ts";
import { isWithin } from "./form_sections.ts";
import type { Inherited } from "./settings/inherited.ts";
import type { SettingsForm } from "./settings/settings_form.ts";
import type { Entrance } from "./unreached.ts";

/** What the fields of any form with lists are given. */
export interface FieldView {
  readonly errors: FieldErrors;
  /** The field, list or button to go on with, if there is one. */
  readonly focus: string | null;
  /** Whether script runs: what only matters in some cases is hidden in the others. */
  readonly interactive: boolean;
  /** Changes the rows of a list without a round trip, where script runs. */
  readonly onRowAction: (action: string) => void;
  /** What the field at a path is called. */
  readonly labelOf: (path: string) => string;
}

export interface FormView extends FieldView {
  readonly form: BackendForm;
  readonly inherited: Inherited;
  /** The backends that win over this one where prefixes are equal. */
  readonly earlier: readonly Entrance[];
  /** This server's, as callers see it. */
  readonly baseUrl: string;
}

/** Settings of the form: the backend's, or those of one of its sub-URLs. */
export interface SettingsView {
  /** `settings`, or `sub_settings[0].settings`. */
  readonly path: string;
  readonly form: SettingsForm;
  /** What holds where they are empty. */
  readonly inherited: Inherited;
  readonly isSubUrl: boolean;
}

/** Name, value and errors of a field of the view. */
export function fieldProps({ errors, focus }: FieldView, name: string, value: string) {
  return { name, value, errors, autofocus: focus === name };
}

/** A section opens for an error in it, and to go on with a row that was added there. */
export function opens({ errors, focus }: FieldView, paths: readonly string[]): boolean {
  const places = [focus ?? "", ...errors.map(({ field = "" }) => field)];
  return places.some((place) => paths.some((path) => isWithin(place, path)));
}
