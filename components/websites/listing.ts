/**
 * The list of website backends: drafts, what is deleted but still live, and those of the
 * configuration file.
 */
import type { Change } from "@/gateway/publish/publishing.ts";
import type { WebsiteBackend, WebsiteBackendInput } from "@/gateway/records/website.ts";
import { type DraftStatus, statusOf } from "../drafts/draft_status.ts";

export interface ListedWebsite {
  /** Null for one of the configuration file, which is not edited here. */
  readonly id: string | null;
  readonly host: string;
  /** As in `http://10.0.0.9:80`. */
  readonly server: string;
  readonly status: DraftStatus;
}

interface ListingSources {
  readonly drafts: readonly WebsiteBackend[];
  readonly live: readonly WebsiteBackend[];
  readonly changes: readonly Change[];
  /** Of the configuration file. */
  readonly fixed: readonly WebsiteBackendInput[];
}

/** By host. */
export function listedWebsites({ drafts, live, changes, fixed }: ListingSources): ListedWebsite[] {
  const changeById = new Map(changes.map(({ id, change }) => [id, change]));
  const deleted = live.filter(({ id }) => changeById.get(id) === "deleted");
  return [
    ...fixed.map((website) => listed(website, null, "live")),
    ...drafts.map((draft) => listed(draft, draft.id, statusOf(changeById.get(draft.id)))),
    ...deleted.map((website) => listed(website, website.id, "deleted")),
  ].sort((a, b) => a.host.localeCompare(b.host, "en"));
}

function listed(
  website: WebsiteBackendInput,
  id: string | null,
  status: DraftStatus,
): ListedWebsite {
  return { id, host: website.frontend_host, server: serverOf(website), status };
}

/** Where a website is, as a URL's scheme, host and port. */
export function serverOf(
  { backend_protocol, server_host, server_port }: WebsiteBackendInput,
): string {
  return `${backend_protocol}://${server_host}:${server_port}`;
}
