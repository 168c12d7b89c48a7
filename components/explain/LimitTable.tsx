/** The limits and quotas that hold for a call, and how much of each is left. */
import type { Explanation } from "@/gateway/explain/explanation.ts";
import { type Column, Table } from "../Table.tsx";

type Limit = Explanation["limits"][number];

const columns: readonly Column<Limit>[] = [
  { key: "words", title: "Limit", cell: ({ words }) => words },
  { key: "used", title: "Used", kind: "numeric", cell: ({ used }) => used.toLocaleString("en") },
  {
    key: "remaining",
    title: "Left",
    kind: "numeric",
    cell: ({ remaining }) => remaining.toLocaleString("en"),
  },
];

export function LimitTable({ limits }: { limits: readonly Limit[] }) {
  return (
    <section>
      <h2>Limits as they stand</h2>
      <Table
        caption="Limits as they stand"
        columns={columns}
        rows={limits}
        rowKey={({ words }) => words}
      />
    </section>
  );
}
