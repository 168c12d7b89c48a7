/** How a key of the configuration is declared: its value, its default and its description. */
import * as v from "valibot";
import { blameField } from "../records/blame_field.ts";

/** What the example file needs beyond description and default. */
export interface KeyNotes {
  /** A YAML value that shows the key in use where its default shows nothing. */
  readonly example?: unknown;
  /** Never shown in an error, in a listing or in a log. */
  readonly secret?: true;
}

/** A key that may be left out; an empty value in YAML (null) means the same. */
export function key<
  const S extends v.GenericSchema,
  const D extends v.Default<S, null | undefined>,
>(schema: S, fallback: D, description: string, notes: KeyNotes = {}) {
  return v.pipe(v.nullish(schema, fallback), v.description(description), v.metadata({ ...notes }));
}

/** A rule over several fields; the field `name` is to blame when it does not hold. */
export function blame<T extends object>(
  name: string & keyof T,
  message: string,
  holds: (value: T) => boolean,
) {
  return blameField<T>((value) => holds(value) ? null : { field: name, message });
}
