/** The published versions: when, by whom and why each went live. */
import type { Version } from "@/gateway/publish/publishing.ts";
import { Pill } from "../Pill.tsx";
import { type Column, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";

interface HistoryProps {
  /** Newest first. */
  readonly versions: readonly Version[];
  /** The number of the version that is live, 0 for none. */
  readonly live: number;
}

export function History({ versions, live }: HistoryProps) {
  if (versions.length === 0) return null;
  const columns: readonly Column<Version>[] = [
    {
      key: "version",
      title: "Version",
      cell: ({ version }) => (
        <span class="row">
          {version}
          {version === live && <Pill tone="ok">live</Pill>}
        </span>
      ),
    },
    { key: "at", title: "Published", cell: ({ published_at }) => <Time at={published_at} /> },
    { key: "by", title: "By", cell: ({ published_by }) => published_by },
    {
      key: "changes",
      title: "Changes",
      kind: "numeric",
      cell: ({ changed_count }) => changed_count.toLocaleString("en"),
    },
    {
      key: "note",
      title: "Note",
      cell: ({ note }) => note === "" ? <span class="muted">none</span> : note,
    },
  ];
  return (
    <div class="stack history">
      <h2>Published versions</h2>
      <div class="table-cards history-table">
        <Table
          caption="Published versions"
          columns={columns}
          rows={versions}
          rowKey={({ version }) => String(version)}
        />
      </div>
    </div>
  );
}
