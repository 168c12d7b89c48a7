/** Which of the drafts' changes an admin publishes: those named, or all. */
import { Fault, type FieldError } from "../faults.ts";
import { contentChanges } from "./changes.ts";
import type { Content } from "./content.ts";

/**
 * Ids of the changes to publish: of `ids`, or all. Throws a `Fault`: 422 for an id that is
 * neither a draft's nor that of something live, `CONFLICT` when there is nothing to publish.
 */
export function chosenChanges(
  ids: readonly string[] | null,
  drafts: Content,
  live: Content,
): Set<string> {
  const changed = contentChanges(drafts, live, new Map()).map(({ id }) => id);
  if (ids !== null) refuseUnknown(ids, idsOf(drafts).union(idsOf(live)));
  const chosen = ids === null ? new Set(changed) : new Set(changed).intersection(new Set(ids));
  if (chosen.size > 0) return chosen;
  throw new Fault(
    "CONFLICT",
    changed.length === 0
      ? "There is nothing to publish: everything is live as it is."
      : "There is nothing to publish: what was chosen is live as it is.",
  );
}

export function idsOf({ backends, website_backends }: Content): Set<string> {
  return new Set([...backends, ...website_backends].map(({ id }) => id));
}

function refuseUnknown(ids: readonly string[], known: ReadonlySet<string>): void {
  const errors: FieldError[] = ids.flatMap((id, index) =>
    known.has(id) ? [] : [{
      code: "INVALID_INPUT",
      message: "is the id of no API backend and of no website backend",
      field: `ids[${index}]`,
    }]
  );
  if (errors.length > 0) throw new Fault("INVALID_INPUT", errors);
}
