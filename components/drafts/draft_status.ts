/** Whether a record that is published stands in the list as it is live. */
import type { Change } from "@/gateway/publish/publishing.ts";

export type DraftStatus = "live" | "changed" | "new" | "deleted";

/** `change` is the unpublished one of the record, if there is one. */
export function statusOf(change: Change["change"] | undefined): DraftStatus {
  if (change === undefined) return "live";
  return change === "modified" ? "changed" : change;
}
