/** The calls, one line each, newest first; a row opens the whole call. */
import type { LogEntry } from "@/gateway/logs/call_log.ts";
import { type Column, Table } from "../Table.tsx";
import { lineId, openUrl } from "./log_urls.ts";
import { StatusCode } from "./StatusCode.tsx";

interface CallTableProps {
  readonly calls: readonly LogEntry[];
  readonly params: URLSearchParams;
}

export function CallTable({ calls, params }: CallTableProps) {
  const columns: readonly Column<LogEntry>[] = [
    {
      key: "time",
      title: "Time (UTC)",
      cell: (call) => <TimeLink call={call} params={params} />,
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
      key: "backend",
      title: "Backend",
      cell: ({ api_backend_name: name }) =>
        name === undefined ? null : <span class="cell-cut" title={name}>{name}</span>,
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
      title: "Reason",
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

/**
 * Opens the call; on the line of the one that is open, leads on to it. Its line is
 * where the opened page begins, so the next stop of the keyboard is this very link.
 */
function TimeLink({ call, params }: { call: LogEntry; params: URLSearchParams }) {
  const { request_id, request_at } = call;
  const isOpen = request_id === params.get("entry");
  return (
    <>
      <span id={lineId(request_id)} class="line-anchor" />
      <a
        class="row-link"
        href={isOpen ? "#entry" : openUrl(params, request_id)}
        aria-current={isOpen ? "true" : undefined}
      >
        <Clock at={request_at} />
      </a>
    </>
  );
}

/** `2026-03-01 12:00:00.123`; the date goes where room is short. */
function Clock({ at }: { at: string }) {
  const [date = "", time = ""] = at.replace("Z", "").split("T");
  return (
    <time class="mono" datetime={at} title={`${date} ${time} UTC`}>
      <span class="call-date">{`${date} `}</span>
      {time}
    </time>
  );
}
