/** The calls, one line each, newest first; a row opens the whole call. */
import type { LogEntry } from "@/gateway/logs/call_log.ts";
import { type Column, Table } from "../Table.tsx";
import { entryUrl } from "./log_urls.ts";
import { StatusCode } from "./StatusCode.tsx";

interface CallTableProps {
  readonly calls: readonly LogEntry[];
  readonly params: URLSearchParams;
}

export function CallTable({ calls, params }: CallTableProps) {
  const open = params.get("entry");
  const columns: readonly Column<LogEntry>[] = [
    {
      key: "time",
      title: "Time (UTC)",
      cell: (call) => (
        <a
          class="row-link"
          href={entryUrl(params, call.request_id)}
          aria-current={call.request_id === open ? "true" : undefined}
        >
          <time class="mono" datetime={call.request_at}>{clockTime(call.request_at)}</time>
        </a>
      ),
    },
    { key: "method", title: "Method", cell: (call) => <code>{call.request_method}</code> },
    {
      key: "status",
      title: "Status",
      cell: (call) => <StatusCode status={call.response_status} />,
    },
    {
      key: "path",
      title: "Path",
      cell: (call) => <code class="cell-cut" title={call.request_url}>{call.request_path}</code>,
    },
    {
      key: "user",
      title: "User",
      cell: ({ user_email: email }) =>
        email === undefined ? null : <span class="cell-cut" title={email}>{email}</span>,
    },
    {
      key: "time_taken",
      title: "ms",
      kind: "numeric",
      cell: (call) => call.response_time.toFixed(1),
    },
    {
      key: "denied",
      title: "Denied",
      cell: (call) => {
        const code = call.gatekeeper_denied_code ?? call.api_backend_response_code_details;
        return code === undefined ? null : <code class="cell-cut" title={code}>{code}</code>;
      },
    },
  ];
  return (
    <div class="table-cards calls-table">
      <Table caption="Calls" columns={columns} rows={calls} rowKey={(call) => call.request_id} />
    </div>
  );
}

/** `2026-03-01 12:00:00.123` */
function clockTime(at: string): string {
  return at.replace("T", " ").replace("Z", "");
}
