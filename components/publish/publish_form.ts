/**
 * What somebody chose on the publish page, and what they had seen when they did:
 * a change that came after that is not published unseen.
 */
import type { Change } from "@/gateway/publish/publishing.ts";
import { nestedFields, textAt, textsAt } from "../nested_fields.ts";
import { seenVersion } from "../seen_version.ts";

export interface PublishForm {
  /** The chosen changes. */
  readonly ids: readonly string[];
  readonly note: string;
  /** When each change that was shown had been made, by its id. */
  readonly seen: ReadonlyMap<string, string>;
  /** The version that was live, 0 for none; null when the form does not say. */
  readonly liveVersion: number | null;
}

/** The value of the hidden field that says what was shown of a change. */
export function seenValue({ id, changed_at }: Change): string {
  return `${id} ${changed_at}`;
}

export function readPublishForm(fields: Readonly<Record<string, string>>): PublishForm {
  const tree = nestedFields(Object.entries(fields));
  const version = textAt(tree, "live_version");
  return {
    ids: textsAt(tree, "ids"),
    note: textAt(tree, "note"),
    seen: new Map(
      textsAt(tree, "seen").map((value) => {
        const [id = "", changedAt = ""] = value.split(" ");
        return [id, changedAt];
      }),
    ),
    liveVersion: seenVersion(version) ?? null,
  };
}

/** The chosen changes that are not what was shown any more. */
export function changedSince({ ids, seen }: PublishForm, changes: readonly Change[]): Change[] {
  return changes.filter((change) =>
    ids.includes(change.id) && seen.has(change.id) && seen.get(change.id) !== change.changed_at
  );
}
