/** The API backends as a table; a row leads to where its backend is edited. */
import type { Sorting } from "../Table.tsx";
import { type Column, Table } from "../Table.tsx";
import { Sparkline } from "../Sparkline.tsx";
import { Pill } from "../Pill.tsx";
import { type ListedBackend, total } from "./listing.ts";
import { serversCondition } from "./server_condition.ts";
import { StatusPill } from "../drafts/StatusPill.tsx";

const PREFIXES_SHOWN = 2;

export const backendColumns: readonly Column<ListedBackend>[] = [
  { key: "name", title: "Name", sortable: true, cell: (row) => <NameCell row={row} /> },
  { key: "host", title: "Host", sortable: true, cell: ({ host }) => <code>{host}</code> },
  { key: "prefixes", title: "Prefixes → upstream", cell: (row) => <RouteCell row={row} /> },
  {
    key: "status",
    title: "Status",
    sortable: true,
    cell: (row) => <StatusCell row={row} />,
  },
  {
    key: "calls",
    title: "Calls in 24 h",
    kind: "numeric",
    sortable: true,
    cell: (row) => <CallsCell row={row} />,
  },
];

interface BackendTableProps {
  readonly rows: readonly ListedBackend[];
  readonly sorting: Sorting;
  readonly url: URL;
}

export function BackendTable({ rows, sorting, url }: BackendTableProps) {
  return (
    <div class="table-cards backends-table">
      <Table
        caption="API backends"
        columns={backendColumns}
        rows={rows}
        rowKey={(row) => row.id ?? `${row.name} ${row.prefixes.join(" ")}`}
        sorting={sorting}
        url={url}
      />
    </div>
  );
}

function NameCell({ row }: { row: ListedBackend }) {
  if (row.id === null) {
    return (
      <span class="cell-lines">
        {row.name}
        <span class="muted small">from portico.yml</span>
      </span>
    );
  }
  const href = row.status === "deleted"
    ? `/admin/publish#change-${row.id}`
    : `/admin/backends/${row.id}`;
  return <a class="row-link" href={href}>{row.name}</a>;
}

function RouteCell({ row: { prefixes, upstream } }: { row: ListedBackend }) {
  const more = prefixes.length - PREFIXES_SHOWN;
  return (
    <span class="cell-lines">
      <code>
        {prefixes.slice(0, PREFIXES_SHOWN).join("  ")}
        {more > 0 && ` and ${more} more`}
      </code>
      <code class="muted">→ {upstream}</code>
    </span>
  );
}

/** Of the servers, only what is not as it should be. */
function StatusCell({ row: { status, servers } }: { row: ListedBackend }) {
  const { tone, words } = serversCondition(servers);
  return (
    <span class="cell-pills">
      <StatusPill status={status} />
      {tone !== "ok" && <Pill tone={tone}>{words}</Pill>}
    </span>
  );
}

function CallsCell({ row }: { row: ListedBackend }) {
  if (row.calls === null || row.id === null) {
    return <span class="muted" title="Not counted for backends of the configuration file">–</span>;
  }
  return (
    <span class="cell-calls">
      <Sparkline counts={row.calls} />
      <a href={`/admin/logs?${new URLSearchParams({ api_backend_id: row.id })}`}>
        {total(row).toLocaleString("en")}
        <span class="visually-hidden">{` calls to ${row.name}, in the log`}</span>
      </a>
    </span>
  );
}
