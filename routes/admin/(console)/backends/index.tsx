/** The API backends: what is live, what is changed, how much each is called. */
import { page } from "fresh";
import { backendColumns, BackendTable } from "@/components/backends/BackendTable.tsx";
import {
  type ListedBackend,
  listedBackends,
  searched,
  sorted,
} from "@/components/backends/listing.ts";
import { NoBackends } from "@/components/backends/NoBackends.tsx";
import { ButtonLink } from "@/components/Button.tsx";
import { DeletedNotice } from "@/components/drafts/DeletedNotice.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Pagination } from "@/components/Pagination.tsx";
import { SearchForm } from "@/components/SearchForm.tsx";
import { readSorting, type Sorting } from "@/components/Table.tsx";
import { type AdminState, defineAdmin } from "@/define.ts";
import { backendKey } from "@/gateway/compile/backend.ts";
import type { HealthReports } from "@/gateway/upstream/health_reports.ts";

const PAGE_SIZE = 50;
const HOURS = 24;

interface Shown {
  readonly rows: readonly ListedBackend[];
  readonly sorting: Sorting;
  /** How many the search finds. */
  readonly found: number;
  /** How many there are at all. */
  readonly total: number;
  readonly nextCursor: string | null;
}

export const handler = defineAdmin.handlers({
  async GET({ state, url }) {
    const all = await countedBackends(state);
    const sorting = readSorting(url, backendColumns) ?? { key: "name", descending: false };
    const found = sorted(searched(all, url.searchParams.get("search") ?? ""), sorting);
    // The list is put in order anew each time, so a page begins at a row's number.
    const start = Number(/^\d{1,9}$/.exec(url.searchParams.get("cursor") ?? "")?.[0] ?? 0);
    const end = start + PAGE_SIZE;
    return page<Shown>({
      rows: await withServers(found.slice(start, end), state.portico.serverHealth),
      sorting,
      found: found.length,
      total: all.length,
      nextCursor: end < found.length ? String(end) : null,
    });
  },
});

async function countedBackends({ portico, changes }: AdminState): Promise<ListedBackend[]> {
  const { backends, publishing, config, callLog } = portico;
  const rows = listedBackends({
    drafts: await backends.all(),
    live: publishing.live?.backends ?? [],
    changes,
    fixed: config.apis,
  });
  const ids = rows.flatMap(({ id }) => id ?? []);
  const calls = await callLog.hitsPerHour(ids, HOURS);
  return rows.map((row) => ({ ...row, calls: row.id === null ? null : calls.get(row.id) ?? null }));
}

async function withServers(
  rows: readonly ListedBackend[],
  serverHealth: HealthReports,
): Promise<ListedBackend[]> {
  const keyOf = ({ id, name }: ListedBackend) => backendKey(id, name);
  const health = await serverHealth.of(rows.map(keyOf));
  return rows.map((row) => ({ ...row, servers: health.get(keyOf(row)) ?? [] }));
}

export default defineAdmin.page<typeof handler>(function BackendsPage({ data, state, url }) {
  return (
    <>
      <PageHead
        title="API Backends"
        siteName={state.portico.config.site_name}
        text="The web services behind this gateway, and under which paths callers reach them."
        action={data.total === 0
          ? undefined
          : <ButtonLink href="/admin/backends/new" look="primary">Add an API backend</ButtonLink>}
      />
      <div class="stack">
        {url.searchParams.get("done") === "deleted" && (
          <DeletedNotice noun="API backend" meanwhile="callers can use it" />
        )}
        {data.total === 0
          ? <NoBackends baseUrl={state.client.baseUrl} />
          : <BackendList data={data} url={url} />}
      </div>
    </>
  );
});

function BackendList({ data, url }: { data: Shown; url: URL }) {
  return (
    <div>
      <SearchForm url={url} label="Name, host, prefix, server or status" />
      {data.found === 0
        ? (
          <EmptyState
            title="Nothing found"
            text="No API backend has all of these words in its name, host, prefixes, server or status."
          />
        )
        : <BackendTable rows={data.rows} sorting={data.sorting} url={url} />}
      <Pagination
        url={url}
        shown={data.rows.length}
        total={data.found}
        nextCursor={data.nextCursor}
        noun={["API backend", "API backends"]}
      />
    </div>
  );
}
