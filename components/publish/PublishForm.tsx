/** The unpublished changes, to choose from, with a note and the button that makes them live. */
import { PublishButton } from "@/islands/PublishButton.tsx";
import type { Change } from "@/gateway/publish/publishing.ts";
import type { UnreachedPrefix } from "../backends/unreached.ts";
import { ErrorSummary } from "../ErrorSummary.tsx";
import { TextArea } from "../Field.tsx";
import type { FieldErrors } from "../form_errors.ts";
import { ChangeCard } from "./ChangeCard.tsx";

interface PublishFormProps {
  readonly changes: readonly Change[];
  /** The ids of the changes whose boxes are ticked. */
  readonly chosen: ReadonlySet<string>;
  readonly note: string;
  readonly errors: FieldErrors;
  /** What is live while these changes are shown, 0 for nothing. */
  readonly liveVersion: number;
  /** Prefixes that no call will reach, by the id of their backend. */
  readonly unreached: ReadonlyMap<string, readonly UnreachedPrefix[]>;
}

export function PublishForm(
  { changes, chosen, note, errors, liveVersion, unreached }: PublishFormProps,
) {
  return (
    <form class="publish-form" method="post" action="/admin/publish">
      <ErrorSummary errors={errors} labels={(field) => field === "note" ? "Note" : "Changes"} />
      <input type="hidden" name="live_version" value={liveVersion} />
      {changes.map((change, index) => (
        <ChangeCard
          key={change.id}
          change={change}
          index={index}
          chosen={chosen.has(change.id)}
          unreached={unreached.get(change.id) ?? []}
        />
      ))}
      <div class="form">
        <TextArea
          name="note"
          label="Note"
          help="Why, for whoever looks at this version later."
          value={note}
          errors={errors}
          maxLength={2000}
          rows={2}
          optional
        />
      </div>
      <div class="form-actions save-bar">
        <PublishButton chosen={changes.filter(({ id }) => chosen.has(id)).length} />
        <p class="muted small">Live everywhere within a second. No call is dropped.</p>
      </div>
    </form>
  );
}
