/** A check of an object whose fault lies in one of its fields. */
import * as v from "valibot";

/** What is wrong, and in which field. */
export interface Blame {
  readonly field: string;
  readonly message: string;
}

export function blameField<T extends object>(problem: (value: T) => Blame | null) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const blame = problem(dataset.value);
    if (blame === null) return;
    const input: Record<string, unknown> = Object.fromEntries(Object.entries(dataset.value));
    const { field: key, message } = blame;
    addIssue({
      message,
      path: [{ type: "object", origin: "value", input, key, value: input[key] }],
    });
  });
}
