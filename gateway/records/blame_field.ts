/** Checks whose fault lies in one field of what is checked, and the way to that field. */
import * as v from "valibot";

/** What is wrong, and in which field. */
export interface Blame {
  readonly field: string;
  readonly message: string;
}

/** A rule over several fields of an object: which of them is to blame, if it does not hold. */
export function blameField<T extends object>(problem: (value: T) => Blame | null) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const blame = problem(dataset.value);
    if (blame === null) return;
    addIssue({ message: blame.message, path: [fieldStep(dataset.value, blame.field)] });
  });
}

/** The step of an issue's path from an object to a field of it. */
export function fieldStep(of: object, key: string): v.ObjectPathItem {
  const input: Record<string, unknown> = Object.fromEntries(Object.entries(of));
  return { type: "object", origin: "value", input, key, value: input[key] };
}

/** The step of an issue's path from a list to an item of it. */
export function itemStep(items: unknown[], index: number): v.ArrayPathItem {
  return { type: "array", origin: "value", input: items, key: index, value: items[index] };
}
