/** How the servers of a backend fare, as all of Portico's workers together see them. */
import type { Occurrence, ServerHealth } from "@/gateway/upstream/server_state.ts";
import { Pill } from "../Pill.tsx";
import { type Column, Table } from "../Table.tsx";
import { Time } from "../Time.tsx";
import { serverCondition } from "./server_condition.ts";

const columns: readonly Column<ServerHealth>[] = [
  { key: "name", title: "Server", cell: ({ name }) => <code>{name}</code> },
  { key: "condition", title: "State", cell: (server) => <Condition server={server} /> },
  { key: "busy", title: "Calls now", kind: "numeric", cell: ({ busy }) => busy },
  { key: "addresses", title: "Addresses", cell: (server) => <Addresses server={server} /> },
  {
    key: "last_failure",
    title: "Last failure",
    cell: ({ last_failure }) => <Event event={last_failure} />,
  },
  {
    key: "last_check",
    title: "Last check",
    cell: ({ last_check }) => <Event event={last_check} />,
  },
];

export function ServerTable({ servers }: { servers: readonly ServerHealth[] }) {
  return (
    <div class="table-cards servers-table">
      <Table
        caption="Servers and how they fare"
        columns={columns}
        rows={servers}
        rowKey={({ name }) => name}
      />
    </div>
  );
}

function Addresses({ server: { addresses, dns_failure } }: { server: ServerHealth }) {
  return (
    <>
      {addresses.length === 0 && <span class="muted">–</span>}
      {addresses.map((address) => <code key={address} class="line">{address}</code>)}
      {dns_failure !== null && <div class="muted small">Not resolved anew: {dns_failure}</div>}
    </>
  );
}

function Condition({ server }: { server: ServerHealth }) {
  const { tone, word, detail } = serverCondition(server);
  return (
    <>
      <Pill tone={tone}>{word}</Pill>
      {detail !== null && <div class="muted small">{detail}</div>}
    </>
  );
}

function Event({ event }: { event: Occurrence | null }) {
  if (event === null) return <span class="muted">–</span>;
  return (
    <>
      <Time at={event.at} />
      <div class="muted small">{event.message}</div>
    </>
  );
}
