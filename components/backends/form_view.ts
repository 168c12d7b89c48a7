/** What every section of a backend's form is given. */
import type { FieldErrors } from "../form_errors.ts";
import type { BackendForm } from "./backend_form.ts";
import type { Inherited } from "./inherited.ts";
import type { Entrance } from "./unreached.ts";

export interface FormView {
  readonly form: BackendForm;
  readonly errors: FieldErrors;
  readonly inherited: Inherited;
  /** The backends that win over this one where prefixes are equal. */
  readonly earlier: readonly Entrance[];
  /** This server's, as callers see it. */
  readonly baseUrl: string;
  /** The field or list to go on with, if there is one. */
  readonly focus: string | null;
  /** Whether script runs: what only matters in some cases is hidden in the others. */
  readonly interactive: boolean;
  /** Adds or removes a row without a round trip, where script runs. */
  readonly onRowAction: (action: string) => void;
}

/** Name, value and errors of a field of the view. */
export function fieldProps({ errors, focus }: FormView, name: string, value: string) {
  return { name, value, errors, autofocus: focus === name };
}

/** A section opens for an error in it, and to go on with a row that was added there. */
export function opens({ errors, focus }: FormView, ...names: readonly string[]): boolean {
  const fields = [focus ?? "", ...errors.map(({ field = "" }) => field)];
  return fields.some((field) => names.some((name) => field.startsWith(name)));
}
