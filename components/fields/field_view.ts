/** What the fields of a form with lists are given. */
import type { FieldErrors } from "../form_errors.ts";
import { isWithin } from "./field_path.ts";

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

/** Name, value and errors of a field of the view. */
export function fieldProps({ errors, focus }: FieldView, name: string, value: string) {
  return { name, value, errors, autofocus: focus === name };
}

/** A section opens for an error in it, and to go on with a row that was added there. */
export function opens({ errors, focus }: FieldView, paths: readonly string[]): boolean {
  const places = [focus ?? "", ...errors.map(({ field = "" }) => field)];
  return places.some((place) => paths.some((path) => isWithin(place, path)));
}
