/** One call in full: what came in, what went back, who asked, and why it was refused. */
import type { LogEntry } from "@/gateway/logs/call_log.ts";
import type { LogField } from "@/gateway/records/log_row.ts";
import { Notice } from "../Notice.tsx";
import { absoluteTime } from "../Time.tsx";
import { fieldGroups, fieldNames, fieldUnits } from "./field_names.ts";
import { exactly } from "./log_search.ts";
import { explainUrl, onlyFilterUrl } from "./log_urls.ts";
import { StatusCode } from "./StatusCode.tsx";
import { whyRefused } from "./why_refused.ts";

interface EntryFactsProps {
  readonly entry: LogEntry;
  /** Of the search that "calls like this" go on from. */
  readonly params: URLSearchParams;
}

export function EntryFacts({ entry, params }: EntryFactsProps) {
  const why = whyRefused(entry);
  return (
    <div class="entry-facts">
      <p class="entry-line">
        <StatusCode status={entry.response_status} />
        <code>{entry.request_method} {entry.request_url}</code>
      </p>
      {why !== null && (
        <Notice tone="warn">
          <h3>
            {entry.gatekeeper_denied_code === undefined ? "Why it failed" : "Why it was refused"}
          </h3>
          <p>{why}</p>
          <p class="small muted">
            <code>
              {entry.gatekeeper_denied_code ?? entry.api_backend_response_code_details}
            </code>
          </p>
        </Notice>
      )}
      <p>
        <a href={explainUrl(entry)}>Explain this call</a>{" "}
        <span class="muted small">as it would be treated now</span>
      </p>
      <CallsLikeThis entry={entry} params={params} />
      {fieldGroups.map(({ title, fields }) => {
        const known = fields.filter((field) => entry[field] !== undefined);
        return known.length > 0 && (
          <section key={title}>
            <h3>{title}</h3>
            <dl class="facts">
              {known.map((field) => <Fact key={field} field={field} entry={entry} />)}
            </dl>
          </section>
        );
      })}
    </div>
  );
}

function Fact({ field, entry }: { field: LogField; entry: LogEntry }) {
  return (
    <>
      <dt>{fieldNames[field]}</dt>
      <dd>{factOf(field, entry)}</dd>
    </>
  );
}

function factOf(field: LogField, entry: LogEntry) {
  const value = entry[field];
  if (field === "request_at") {
    return <time class="mono" datetime={entry.request_at}>{exactTime(entry)}</time>;
  }
  if (field === "user_email" && entry.user_id !== undefined) {
    return <a href={`/admin/users/${entry.user_id}`}>{entry.user_email}</a>;
  }
  if (field === "api_backend_name" && entry.api_backend_id !== undefined) {
    return <a href={`/admin/backends/${entry.api_backend_id}`}>{entry.api_backend_name}</a>;
  }
  const unit = fieldUnits[field];
  const text = typeof value === "number" && unit !== undefined
    ? `${value.toLocaleString("en")} ${unit}`
    : value;
  return <code>{text}</code>;
}

/** To the millisecond, since calls are told apart by it. */
function exactTime({ request_at }: LogEntry): string {
  const [, fraction = ""] = /(\.\d+)Z$/.exec(request_at) ?? [];
  return absoluteTime(request_at).replace(" UTC", `${fraction} UTC`);
}

const likenesses: readonly { readonly field: LogField; readonly words: string }[] = [
  { field: "user_id", words: "same user" },
  { field: "api_backend_id", words: "same API backend" },
  { field: "response_status", words: "same status" },
  { field: "gatekeeper_denied_code", words: "same reason" },
  { field: "request_ip", words: "same IP address" },
];

function CallsLikeThis({ entry, params }: EntryFactsProps) {
  return (
    <section>
      <h3>Show only calls like this</h3>
      <ul class="likenesses">
        {likenesses.map(({ field, words }) => {
          const value = entry[field];
          return value !== undefined && (
            <li key={field}>
              <a href={onlyFilterUrl(params, field, exactly(field, String(value)))}>{words}</a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
