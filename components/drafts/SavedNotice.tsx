/** Says after saving a record that is published what is left to do. */
import { Notice } from "../Notice.tsx";
import type { DraftStatus } from "./draft_status.ts";

export function SavedNotice({ status }: { status: DraftStatus }) {
  return (
    <Notice tone="ok">
      <p>
        {status === "live"
          ? "Saved. It is what is live already, so there is nothing to publish."
          : (
            <>
              Saved. Not live until you publish: <a href="/admin/publish">review and publish</a>.
            </>
          )}
      </p>
    </Notice>
  );
}
