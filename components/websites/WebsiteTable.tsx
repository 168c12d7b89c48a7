/** The website backends as a table; a row leads to where its website is edited. */
import { StatusPill } from "../drafts/StatusPill.tsx";
import { type Column, Table } from "../Table.tsx";
import type { ListedWebsite } from "./listing.ts";

const columns: readonly Column<ListedWebsite>[] = [
  { key: "host", title: "Host", cell: (row) => <HostCell row={row} /> },
  { key: "server", title: "Server", cell: ({ server }) => <code>{server}</code> },
  { key: "status", title: "Status", cell: ({ status }) => <StatusPill status={status} /> },
];

export function WebsiteTable({ rows }: { rows: readonly ListedWebsite[] }) {
  return (
    <div class="table-cards websites-table">
      <Table
        caption="Website backends"
        columns={columns}
        rows={rows}
        rowKey={({ id, host }) => id ?? `file ${host}`}
      />
    </div>
  );
}

function HostCell({ row: { id, host, status } }: { row: ListedWebsite }) {
  if (id === null) {
    return (
      <span class="cell-lines">
        <code>{host}</code>
        <span class="muted small">from portico.yml</span>
      </span>
    );
  }
  const href = status === "deleted" ? `/admin/publish#change-${id}` : `/admin/websites/${id}`;
  return <a class="row-link" href={href}>{host}</a>;
}
