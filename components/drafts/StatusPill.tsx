/** Whether a record is live as it stands in the list, in a word. */
import { Pill, type Tone } from "../Pill.tsx";
import type { DraftStatus } from "./draft_status.ts";

const looks: Record<DraftStatus, { readonly tone: Tone; readonly words: string }> = {
  live: { tone: "ok", words: "Live" },
  changed: { tone: "warn", words: "Changed" },
  new: { tone: "accent", words: "New" },
  deleted: { tone: "bad", words: "Deleted" },
};

export function StatusPill({ status }: { status: DraftStatus }) {
  const { tone, words } = looks[status];
  return <Pill tone={tone}>{words}</Pill>;
}
