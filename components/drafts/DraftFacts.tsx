/** Below the name of a record that is published: whether it is live, and who changed it when. */
import { Time } from "../Time.tsx";
import type { DraftStatus } from "./draft_status.ts";
import { StatusPill } from "./StatusPill.tsx";

interface DraftFactsProps {
  readonly status: DraftStatus;
  readonly draft: { readonly updated_at: string; readonly updated_by: string };
}

export function DraftFacts({ status, draft }: DraftFactsProps) {
  return (
    <span class="row">
      <StatusPill status={status} />
      <span>
        Changed <Time at={draft.updated_at} /> by {draft.updated_by}
      </span>
    </span>
  );
}
