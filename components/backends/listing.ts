/**
 * The list of API backends: drafts, what is deleted but still live, and those of
 * the configuration file, as rows that can be searched, sorted and paged.
 */
import type { Backend, BackendInput } from "@/gateway/records/backend.ts";
import type { Change } from "@/gateway/publish/publishing.ts";
import type { ServerHealth } from "@/gateway/upstream/server_state.ts";
import { type DraftStatus, statusOf } from "../drafts/draft_status.ts";

export interface ListedBackend {
  /** Null for a backend of the configuration file, which is not edited here. */
  readonly id: string | null;
  readonly name: string;
  readonly host: string;
  readonly prefixes: readonly string[];
  /** The first server, and how many more there are. */
  readonly upstream: string;
  readonly status: DraftStatus;
  /** Calls in each of the last hours, oldest first; null where they are not counted. */
  readonly calls: readonly number[] | null;
  /** Those it is live with; none while nobody was asked. */
  readonly servers: readonly ServerHealth[];
}

interface ListingSources {
  readonly drafts: readonly Backend[];
  readonly live: readonly Backend[];
  readonly changes: readonly Change[];
  /** Of the configuration file. */
  readonly fixed: readonly BackendInput[];
}

/** Every row, calls not yet counted and servers not asked for. */
export function listedBackends({ drafts, live, changes, fixed }: ListingSources): ListedBackend[] {
  const changeById = new Map(changes.map(({ id, change }) => [id, change]));
  const deleted = live.filter(({ id }) => changeById.get(id) === "deleted");
  return [
    ...drafts.map((draft) => listed(draft, draft.id, statusOf(changeById.get(draft.id)))),
    ...deleted.map((backend) => listed(backend, backend.id, "deleted")),
    ...fixed.map((backend) => listed(backend, null, "live")),
  ];
}

function listed(backend: BackendInput, id: string | null, status: DraftStatus): ListedBackend {
  const [first] = backend.servers;
  const more = backend.servers.length > 1 ? ` and ${backend.servers.length - 1} more` : "";
  return {
    id,
    name: backend.name,
    host: backend.frontend_host,
    prefixes: backend.url_matches.map(({ frontend_prefix }) => frontend_prefix),
    upstream: first === undefined
      ? ""
      : `${backend.backend_protocol}://${first.host}:${first.port}${more}`,
    status,
    calls: null,
    servers: [],
  };
}

/** The rows that hold every word of `search`, whatever its case. */
export function searched(rows: readonly ListedBackend[], search: string): readonly ListedBackend[] {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return rows.filter(({ name, host, prefixes, upstream, status }) => {
    const text = [name, host, ...prefixes, upstream, status].join("\n").toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const statusOrder: readonly DraftStatus[] = ["new", "changed", "deleted", "live"];

const orders: Record<string, (a: ListedBackend, b: ListedBackend) => number> = {
  name: (a, b) => a.name.localeCompare(b.name, "en"),
  host: (a, b) => a.host.localeCompare(b.host, "en"),
  status: (a, b) => statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status),
  calls: (a, b) => total(a) - total(b),
};

/** By a column, and among equals by name. */
export function sorted(
  rows: readonly ListedBackend[],
  { key, descending }: { readonly key: string; readonly descending: boolean },
): readonly ListedBackend[] {
  const order = orders[key] ?? byName;
  return rows.toSorted((a, b) => (descending ? order(b, a) : order(a, b)) || byName(a, b));
}

function byName(a: ListedBackend, b: ListedBackend): number {
  return a.name.localeCompare(b.name, "en");
}

export function total({ calls }: ListedBackend): number {
  return (calls ?? []).reduce((sum, count) => sum + count, 0);
}
