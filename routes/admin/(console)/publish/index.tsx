/** What differs from the live version, field by field; choosing of it, and making it live. */
import { page } from "fresh";
import type { FieldErrors } from "@/components/form_errors.ts";
import { Notice } from "@/components/Notice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { NothingToPublish } from "@/components/publish/NothingToPublish.tsx";
import {
  changedSince,
  type PublishForm as PostedForm,
  readPublishForm,
} from "@/components/publish/publish_form.ts";
import { PublishForm } from "@/components/publish/PublishForm.tsx";
import { Time } from "@/components/Time.tsx";
import { defineAdmin } from "@/define.ts";
import { Fault, invalidField } from "@/gateway/faults.ts";
import type { Change, LiveVersion } from "@/gateway/publish/publishing.ts";
import { correctable, faultHeaders } from "../../../(_requests)/correctable.ts";
import { readForm } from "../../../(_requests)/form.ts";

interface Shown {
  readonly chosen: ReadonlySet<string>;
  readonly note: string;
  readonly errors: FieldErrors;
}

export const handler = defineAdmin.handlers({
  GET({ state }) {
    const chosen = new Set(state.changes.map(({ id }) => id));
    return page<Shown>({ chosen, note: "", errors: [] });
  },

  async POST(ctx) {
    const { portico, admin, changes } = ctx.state;
    const form = readPublishForm(await readForm(ctx.req));
    try {
      refuseUnseen(form, changes, portico.publishing.live);
      const { ids, note } = form;
      const { version } = await portico.publishing.publish({ ids, note }, admin.username);
      return ctx.redirect(`/admin/publish?published=${version}`, 303);
    } catch (error) {
      const fault = correctable(error);
      // Somebody else may have published: what is shown again is what is left now.
      ctx.state.changes = await portico.publishing.changes();
      return page<Shown>({ chosen: new Set(form.ids), note: form.note, errors: fault.errors }, {
        status: fault.status,
        headers: faultHeaders(fault),
      });
    }
  },
});

/** Throws a `Fault` when nothing is chosen, or what would be published is not what was shown. */
function refuseUnseen(
  form: PostedForm,
  changes: readonly Change[],
  live: LiveVersion | null,
): void {
  if (form.ids.length === 0) throw invalidField("ids", "Choose at least one change to publish.");
  if (form.liveVersion !== null && live !== null && live.version !== form.liveVersion) {
    throw new Fault(
      "CONFLICT",
      `In the meantime ${live.published_by} published version ${live.version}. Nothing was ` +
        "published now: look at what is left, below, and publish again.",
    );
  }
  const [changed] = changedSince(form, changes);
  if (changed !== undefined) {
    throw new Fault(
      "CONFLICT",
      `After this page was opened, ${changed.changed_by} changed “${changed.name}”. Nothing was ` +
        "published: look at the change as it is now, below, and publish again.",
    );
  }
}

export default defineAdmin.page<typeof handler>(function PublishPage({ data, state, url }) {
  const { portico, changes, client } = state;
  const { live } = portico.publishing;
  return (
    <>
      <PageHead
        title="Publish Changes"
        siteName={portico.config.site_name}
        text={changes.length === 0
          ? "Changes to API backends wait here until they are made live."
          : <Introduction live={live} />}
      />
      <div class="stack">
        <Published live={live} version={Number(url.searchParams.get("published"))} />
        {changes.length === 0
          ? <NothingToPublish live={live} baseUrl={client.baseUrl} />
          : <PublishForm {...data} changes={changes} liveVersion={live?.version ?? 0} />}
      </div>
    </>
  );
});

function Introduction({ live }: { live: LiveVersion | null }) {
  if (live === null) {
    return <>Nothing is live yet. Until you publish, calls to these are answered with 404.</>;
  }
  return (
    <>
      What differs from version {live.version}, which {live.published_by} published{" "}
      <Time at={live.published_at} />.
    </>
  );
}

/** Says what was just published, as long as it is what is live. */
function Published({ live, version }: { live: LiveVersion | null; version: number }) {
  if (live === null || live.version !== version) return null;
  return (
    <Notice tone="ok">
      <p>
        <strong>Published version {version}</strong> <Time at={live.published_at} /> by{" "}
        {live.published_by}. It is live.
      </p>
      <p>
        <a href="/">See it on the homepage</a>, <a href="/admin/logs">watch the calls</a> or{" "}
        <a href="/admin/backends">go to the API backends</a>.
      </p>
    </Notice>
  );
}
