/**
 * What Publish Changes shows: how the drafts differ from what is live, field by
 * field. Who changed something and when is told, but is no difference itself.
 */
import type { Backend } from "../records/backend.ts";
import { stampFields } from "../store/record_input.ts";
import type { Removal } from "../backends/backends.ts";

export interface FieldChange {
  /** As in `servers[0].host`. */
  readonly path: string;
  /** The value as text; null when it is not set. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface Change {
  readonly id: string;
  readonly kind: "backend";
  readonly name: string;
  readonly change: "new" | "modified" | "deleted";
  readonly fields: readonly FieldChange[];
  /** ISO 8601. */
  readonly changed_at: string;
  readonly changed_by: string;
}

const notCompared: ReadonlySet<string> = new Set([...stampFields, "created_order"]);

/** New and modified drafts in their order, then what is live and has no draft any more. */
export function draftChanges(
  drafts: readonly Backend[],
  live: readonly Backend[],
  removals: ReadonlyMap<string, Removal>,
): Change[] {
  const liveById = new Map(live.map((backend) => [backend.id, backend]));
  const draftIds = new Set(drafts.map((backend) => backend.id));
  return [
    ...drafts.flatMap((draft) => draftChange(draft, liveById.get(draft.id)) ?? []),
    ...live.filter(({ id }) => !draftIds.has(id))
      .map((backend) => deletion(backend, removals.get(backend.id))),
  ];
}

/** What is live once the changes to `ids` are: their drafts, and of all others what was live. */
export function withChanges(
  live: readonly Backend[],
  drafts: readonly Backend[],
  ids: ReadonlySet<string>,
): Backend[] {
  return [
    ...live.filter(({ id }) => !ids.has(id)),
    ...drafts.filter(({ id }) => ids.has(id)),
  ].sort((a, b) => a.created_order - b.created_order);
}

function draftChange(draft: Backend, live: Backend | undefined): Change | undefined {
  if (draft.version === live?.version) return undefined;
  const fields = fieldChanges(live, draft);
  if (fields.length === 0) return undefined;
  return {
    id: draft.id,
    kind: "backend",
    name: draft.name,
    change: live === undefined ? "new" : "modified",
    fields,
    changed_at: draft.updated_at,
    changed_by: draft.updated_by,
  };
}

function deletion(live: Backend, removal: Removal | undefined): Change {
  return {
    id: live.id,
    kind: "backend",
    name: live.name,
    change: "deleted",
    fields: fieldChanges(live, undefined),
    changed_at: removal?.removed_at ?? live.updated_at,
    changed_by: removal?.removed_by ?? live.updated_by,
  };
}

function fieldChanges(before: Backend | undefined, after: Backend | undefined): FieldChange[] {
  const [old, next] = [leaves(before), leaves(after)];
  return [...new Set([...next.keys(), ...old.keys()])]
    .map((path) => ({ path, before: old.get(path) ?? null, after: next.get(path) ?? null }))
    .filter((field) => field.before !== field.after);
}

/** Every value in a backend by its path, as text. Null and absent are alike: "not set". */
function leaves(backend: Backend | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(backend ?? {})) {
    if (!notCompared.has(name)) collectLeaves(value, name, found);
  }
  return found;
}

function collectLeaves(value: unknown, path: string, found: Map<string, string>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => collectLeaves(item, `${path}[${index}]`, found));
  } else if (typeof value === "object") {
    for (const [name, item] of Object.entries(value)) collectLeaves(item, `${path}.${name}`, found);
  } else {
    found.set(path, String(value));
  }
}
