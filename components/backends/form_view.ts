/** What the sections of a backend's form are given. */
import type { FieldView } from "../fields/field_view.ts";
import type { BackendForm } from "./backend_form.ts";
import type { Inherited } from "./settings/inherited.ts";
import type { SettingsForm } from "./settings/settings_form.ts";
import type { Entrance } from "./unreached.ts";

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
