/**
 * What Publish Changes shows: how the drafts differ from what is live, field by
 * field. Who changed something and when is told, but is no difference itself.
 */
import { draftStampFields, type Removal } from "../drafts/drafts.ts";
import type { Backend } from "../records/backend.ts";
import type { DraftStamps } from "../records/stamps.ts";
import { transitionStartFields } from "../records/transitions.ts";
import type { Content } from "./content.ts";

export interface FieldChange {
  /** As in `servers[0].host`. */
  readonly path: string;
  /** The value as text; null when it is not set. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface Change {
  readonly id: string;
  readonly kind: "backend" | "website_backend";
  readonly name: string;
  readonly change: "new" | "modified" | "deleted";
  readonly fields: readonly FieldChange[];
  /** ISO 8601. */
  readonly changed_at: string;
  readonly changed_by: string;
}

type Removals = ReadonlyMap<string, Removal>;

const notCompared: ReadonlySet<string> = new Set(draftStampFields);

/** The changes to API backends, then those to website backends. */
export function contentChanges(drafts: Content, live: Content, removals: Removals): Change[] {
  return [
    ...recordChanges("backend", drafts.backends, live.backends, removals),
    ...recordChanges("website_backend", drafts.website_backends, live.website_backends, removals),
  ];
}

/** What is live once the changes to `ids` are: their drafts, and of all others what was live. */
export function withChanges(live: Content, drafts: Content, ids: ReadonlySet<string>): Content {
  return {
    backends: changedRecords(live.backends, drafts.backends, ids),
    website_backends: changedRecords(live.website_backends, drafts.website_backends, ids),
  };
}

function changedRecords<R extends DraftStamps>(
  live: readonly R[],
  drafts: readonly R[],
  ids: ReadonlySet<string>,
): R[] {
  return [
    ...live.filter(({ id }) => !ids.has(id)),
    ...drafts.filter(({ id }) => ids.has(id)),
  ].sort((a, b) => a.created_order - b.created_order);
}

/** A draft of either kind; a website is called by its host. */
type Draft = DraftStamps & (Pick<Backend, "name"> | { readonly frontend_host: string });

/** New and modified drafts in their order, then what is live and has no draft any more. */
function recordChanges(
  kind: Change["kind"],
  drafts: readonly Draft[],
  live: readonly Draft[],
  removals: Removals,
): Change[] {
  const liveById = new Map(live.map((record) => [record.id, record]));
  const draftIds = new Set(drafts.map(({ id }) => id));
  return [
    ...drafts.flatMap((draft) => draftChange(kind, draft, liveById.get(draft.id)) ?? []),
    ...live.filter(({ id }) => !draftIds.has(id))
      .map((record) => deletion(kind, record, removals.get(record.id))),
  ];
}

function draftChange(
  kind: Change["kind"],
  draft: Draft,
  live: Draft | undefined,
): Change | undefined {
  if (draft.version === live?.version) return undefined;
  const fields = fieldChanges(live, draft);
  if (fields.length === 0) return undefined;
  return {
    id: draft.id,
    kind,
    name: nameOf(draft),
    change: live === undefined ? "new" : "modified",
    fields,
    changed_at: draft.updated_at,
    changed_by: draft.updated_by,
  };
}

function deletion(kind: Change["kind"], live: Draft, removal: Removal | undefined): Change {
  return {
    id: live.id,
    kind,
    name: nameOf(live),
    change: "deleted",
    fields: fieldChanges(live, undefined),
    changed_at: removal?.removed_at ?? live.updated_at,
    changed_by: removal?.removed_by ?? live.updated_by,
  };
}

function nameOf(draft: Draft): string {
  return "name" in draft ? draft.name : draft.frontend_host;
}

function fieldChanges(before: Draft | undefined, after: Draft | undefined): FieldChange[] {
  const [old, next] = [leaves(before), leaves(after)];
  return [...new Set([...next.keys(), ...old.keys()])]
    .map((path) => ({ path, before: old.get(path) ?? null, after: next.get(path) ?? null }))
    .filter((field) => field.before !== field.after);
}

/**
 * Every value in a record that somebody sets, by its path, as text. Null and
 * absent are alike: "not set".
 */
function leaves(record: Draft | undefined): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, value] of Object.entries(record ?? {})) {
    if (!notCompared.has(name)) collectLeaves(value, name, found);
  }
  return found;
}

function collectLeaves(value: unknown, path: string, found: Map<string, string>): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => collectLeaves(item, `${path}[${index}]`, found));
  } else if (typeof value === "object") {
    for (const [name, item] of Object.entries(value)) {
      if (!transitionStartFields.has(name)) collectLeaves(item, `${path}.${name}`, found);
    }
  } else {
    found.set(path, String(value));
  }
}
