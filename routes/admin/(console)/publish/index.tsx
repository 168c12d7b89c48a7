/** What differs from the live version, field by field; choosing of it, and making it live. */
import { page } from "fresh";
import {
  entrances,
  entrancesBefore,
  type UnreachedPrefix,
  unreachedPrefixes,
} from "@/components/backends/unreached.ts";
import type { FieldErrors } from "@/components/form_errors.ts";
import { Notice } from "@/components/Notice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { History } from "@/components/publish/History.tsx";
import { NothingToPublish } from "@/components/publish/NothingToPublish.tsx";
import {
  changedSince,
  type PublishForm as PostedForm,
  readPublishForm,
} from "@/components/publish/publish_form.ts";
import { PublishForm } from "@/components/publish/PublishForm.tsx";
import { Time } from "@/components/Time.tsx";
import { type AdminState, defineAdmin } from "@/define.ts";
import { Fault, invalidField } from "@/gateway/faults.ts";
import type { Change, LiveVersion, Version } from "@/gateway/publish/publishing.ts";
import { correctable, faultInit } from "../../../(_requests)/correctable.ts";
import { readForm } from "../../../(_requests)/form.ts";

const VERSIONS_SHOWN = 20;

interface Choice {
  readonly chosen: ReadonlySet<string>;
  readonly note: string;
  readonly errors: FieldErrors;
}

interface Shown extends Choice {
  /** Prefixes that no call will reach, by the id of their backend. */
  readonly unreached: ReadonlyMap<string, readonly UnreachedPrefix[]>;
  /** Newest first. */
  readonly versions: readonly Version[];
}

async function shown(choice: Choice, { portico, changes }: AdminState): Promise<Shown> {
  const { config, backends, publishing } = portico;
  const drafts = await backends.all();
  const all = entrances(config.apis, drafts);
  const changed = new Set(changes.map(({ id }) => id));
  return {
    ...choice,
    unreached: new Map(
      drafts.filter(({ id }) => changed.has(id)).map((draft) => [
        draft.id,
        unreachedPrefixes(draft, entrancesBefore(draft, all)),
      ]),
    ),
    versions: (await publishing.history()).slice(0, VERSIONS_SHOWN),
  };
}

export const handler = defineAdmin.handlers({
  async GET({ state }) {
    const chosen = new Set(state.changes.map(({ id }) => id));
    return page(await shown({ chosen, note: "", errors: [] }, state));
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
      const choice = { chosen: new Set(form.ids), note: form.note, errors: fault.errors };
      return page(await shown(choice, ctx.state), faultInit(fault));
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
          ? "Changes to API and website backends wait here until they are made live."
          : <Introduction live={live} />}
      />
      <div class="stack">
        <Published live={live} version={Number(url.searchParams.get("published"))} />
        {changes.length === 0
          ? <NothingToPublish live={live} baseUrl={client.baseUrl} />
          : <PublishForm {...data} changes={changes} liveVersion={live?.version ?? 0} />}
        <History versions={data.versions} live={live?.version ?? 0} />
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
        Next, <a href="/signup/">get an API key</a>{" "}
        as callers do, on the sign-up page, and make a call; it shows in{" "}
        <a href="/admin/logs">Filter Logs</a>. Or see what is offered on{" "}
        <a href="/">the homepage</a>.
      </p>
    </Notice>
  );
}
