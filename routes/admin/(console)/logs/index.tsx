/** Filter Logs: the calls of a stretch of time, as a chart and as lines, each in full on demand. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { ErrorSummary } from "@/components/ErrorSummary.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { CallChart } from "@/components/logs/CallChart.tsx";
import { CallTable } from "@/components/logs/CallTable.tsx";
import { EntryPanel } from "@/components/logs/EntryPanel.tsx";
import { fieldNames } from "@/components/logs/field_names.ts";
import {
  addedFilterUrl,
  logQuery,
  type LogSearch,
  readLogSearch,
} from "@/components/logs/log_search.ts";
import { csvUrl } from "@/components/logs/log_urls.ts";
import { NoCalls } from "@/components/logs/NoCalls.tsx";
import { SearchBar } from "@/components/logs/SearchBar.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Pagination } from "@/components/Pagination.tsx";
import { liveApis } from "@/components/published_api.ts";
import { type AdminState, defineAdmin } from "@/define.ts";
import type { CallLog, Histogram, LogEntry, LogPage } from "@/gateway/logs/call_log.ts";
import { correctable, faultInit } from "../../../(_requests)/correctable.ts";

const PAGE_SIZE = "100";

interface Result {
  readonly calls: LogPage;
  readonly histogram: Histogram;
  /** The opened call; null when it is not there, undefined when none is asked for. */
  readonly entry: LogEntry | null | undefined;
}

interface Shown {
  readonly search: LogSearch;
  /** Null when the log was not asked, because of the errors. */
  readonly result: Result | null;
  readonly errors: FieldErrors;
}

export const handler = defineAdmin.handlers({
  async GET(ctx) {
    const now = Date.now();
    const search = readLogSearch(ctx.url, now);
    try {
      const next = addedFilterUrl(search);
      if (next !== null) return ctx.redirect(next, 303);
      const result = await resultOf(ctx.state.portico.callLog, search, now);
      return page<Shown>({ search, result, errors: [] });
    } catch (error) {
      const fault = correctable(error);
      return page<Shown>({ search, result: null, errors: fault.errors }, faultInit(fault));
    }
  },
});

async function resultOf(callLog: CallLog, search: LogSearch, now: number): Promise<Result> {
  const query = logQuery(search);
  if (!query.has("limit")) query.set("limit", PAGE_SIZE);
  const charted = new URLSearchParams(query);
  // A preset ends now; without an end, the chart would go on to where the log does.
  if (search.range.preset !== null) charted.set("end_at", new Date(now).toISOString());
  const [calls, histogram] = await Promise.all([
    callLog.query(query),
    callLog.histogram(charted),
  ]);
  return { calls, histogram, entry: await openedEntry(callLog, search, calls) };
}

async function openedEntry(
  callLog: CallLog,
  { entry }: LogSearch,
  { logs }: LogPage,
): Promise<LogEntry | null | undefined> {
  if (entry === null) return undefined;
  return logs.find(({ request_id }) => request_id === entry) ?? await callLog.find(entry);
}

export default defineAdmin.page<typeof handler>(function LogsPage({ data, state }) {
  const { search, result, errors } = data;
  return (
    <>
      <PageHead
        title="Filter Logs"
        siteName={state.portico.config.site_name}
        text={`Every call that came in, and what became of it. Kept for ${state.portico.config.analytics.retention_days} days.`}
        action={result !== null && result.calls.total > 0
          ? <ButtonLink href={csvUrl(search.params)}>Download CSV</ButtonLink>
          : undefined}
      />
      <div class={result?.entry === undefined ? "logs" : "logs logs-with-entry"}>
        <div class="logs-main">
          <ErrorSummary errors={errors} labels={parameterLabel} />
          <SearchBar search={search} errors={errors} />
          {result !== null && <Calls search={search} result={result} state={state} />}
        </div>
        {result?.entry !== undefined && <EntryPanel entry={result.entry} params={search.params} />}
      </div>
    </>
  );
});

const ownLabels: Record<string, string> = {
  start_at: "From",
  end_at: "To",
  add_field: "Field",
  add_operator: "How",
  add_value: "Value",
};

function parameterLabel(name: string): string {
  const labels: Record<string, string> = { ...fieldNames, ...ownLabels };
  return Object.hasOwn(labels, name) ? labels[name] ?? name : `“${name}”`;
}

interface CallsProps {
  readonly search: LogSearch;
  readonly result: Result;
  readonly state: AdminState;
}

function Calls({ search, result, state }: CallsProps) {
  const { params, filters } = search;
  const { calls, histogram } = result;
  const listed = new URLSearchParams(params);
  listed.delete("entry");
  if (calls.total === 0) {
    const { portico, client } = state;
    const [api] = liveApis(portico, client.baseUrl);
    return (
      <NoCalls
        params={params}
        filtered={filters.length > 0}
        exampleUrl={api?.urls[0] ?? `${client.baseUrl}/your-api/`}
      />
    );
  }
  return (
    <>
      <CallChart histogram={histogram} params={params} />
      <div>
        <CallTable calls={calls.logs} params={params} />
        <Pagination
          url={new URL(`${state.client.baseUrl}/admin/logs?${listed}`)}
          shown={calls.logs.length}
          total={calls.total}
          nextCursor={calls.next_cursor}
          noun={["call", "calls"]}
        />
      </div>
    </>
  );
}
