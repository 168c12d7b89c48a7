/** One unpublished change: a box to choose it, and its fields before and after. */
import { Fragment } from "preact";
import type { Change } from "@/gateway/publish/publishing.ts";
import { fieldTitle } from "../backends/field_labels.ts";
import { changedValues, fieldValue } from "../backends/field_values.ts";
import type { UnreachedPrefix } from "../backends/unreached.ts";
import { UnreachedNotice } from "../backends/UnreachedNotice.tsx";
import { DifferenceTable } from "../differences/DifferenceTable.tsx";
import { statusOf } from "../drafts/draft_status.ts";
import { StatusPill } from "../drafts/StatusPill.tsx";
import { Time } from "../Time.tsx";
import { seenValue } from "./publish_form.ts";

interface ChangeCardProps {
  readonly change: Change;
  /** Its place in the form's list. */
  readonly index: number;
  readonly chosen: boolean;
  readonly unreached: readonly UnreachedPrefix[];
}

export function ChangeCard({ change, index, chosen, unreached }: ChangeCardProps) {
  const { id, name } = change;
  return (
    <section class="card change" id={`change-${id}`} aria-labelledby={`name-${id}`}>
      <header class="change-head">
        <div class="choice">
          <input
            type="checkbox"
            id={`choose-${id}`}
            name={`ids[${index}]`}
            value={id}
            checked={chosen}
          />
          <h2 id={`name-${id}`}>
            <label for={`choose-${id}`}>{name}</label>
          </h2>
          <p class="muted small">
            {change.kind === "website_backend" && "Website backend · "}
            {verbs[change.change]} <Time at={change.changed_at} /> by {change.changed_by}
            {change.change !== "deleted" && (
              <>
                {" · "}
                <a href={`${pages[change.kind]}/${id}`}>Edit</a>
              </>
            )}
          </p>
        </div>
        <StatusPill status={statusOf(change.change)} />
        <input type="hidden" name={`seen[${index}]`} value={seenValue(change)} />
      </header>
      <UnreachedNotice prefixes={unreached} />
      {change.change === "modified" ? <Differences change={change} /> : <Values change={change} />}
    </section>
  );
}

const pages: Record<Change["kind"], string> = {
  backend: "/admin/backends",
  website_backend: "/admin/websites",
};

const verbs: Record<Change["change"], string> = {
  new: "Added",
  modified: "Changed",
  deleted: "Deleted",
};

function Differences({ change }: { change: Change }) {
  return (
    <DifferenceTable
      caption={`What is changed in ${change.name}`}
      title="Field"
      before="Live now"
      after="After publishing"
      noneBefore="not set"
      noneAfter="not set"
      differences={change.fields.map(({ path, before, after }) => ({
        key: path,
        title: <span title={path}>{fieldTitle(path)}</span>,
        ...changedValues(path, before, after),
      }))}
    />
  );
}

/** All that a new or deleted record says. */
function Values({ change }: { change: Change }) {
  return (
    <dl class="facts change-values">
      {change.fields.map(({ path, before, after }) => (
        <Fragment key={path}>
          <dt title={path}>{fieldTitle(path)}</dt>
          <dd>
            <code>{fieldValue(path, after ?? before ?? "")}</code>
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}
