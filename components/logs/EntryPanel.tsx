/** The opened call at the side of the list; on narrow screens it takes the list's place. */
import type { LogEntry } from "@/gateway/logs/call_log.ts";
import { ButtonLink } from "../Button.tsx";
import { EntryFacts } from "./EntryFacts.tsx";
import { closedUrl, LOGS_PATH } from "./log_urls.ts";

interface EntryPanelProps {
  /** Null when the log does not have it, or not any more. */
  readonly entry: LogEntry | null;
  readonly params: URLSearchParams;
}

export function EntryPanel({ entry, params }: EntryPanelProps) {
  return (
    <aside class="entry-panel" id="entry" aria-labelledby="entry-title" tabIndex={0}>
      <header>
        <h2 id="entry-title">One call</h2>
        <div class="row">
          {entry !== null && (
            <ButtonLink
              href={`${LOGS_PATH}/${encodeURIComponent(entry.request_id)}`}
              look="quiet"
              small
            >
              Its own page
            </ButtonLink>
          )}
          <ButtonLink href={closedUrl(params)} small>Close</ButtonLink>
        </div>
      </header>
      {entry === null
        ? <p>The log has no call with this request id: it may be older than the log is kept.</p>
        : <EntryFacts entry={entry} params={params} />}
    </aside>
  );
}
