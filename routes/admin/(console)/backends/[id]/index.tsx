/** One API backend: its form, and whether what it says is live. */
import { page } from "fresh";
import type { BackendForm as BackendFields } from "@/components/backends/backend_form.ts";
import { formErrors } from "@/components/backends/error_places.ts";
import { backendForm, backendRecord } from "@/components/backends/form_record.ts";
import { backendEdits } from "@/components/backends/form_rows.ts";
import { ServerHealthSection } from "@/components/backends/ServerHealthSection.tsx";
import { inheritedSettings } from "@/components/backends/settings/server_defaults.ts";
import { type Entrance, entrances, entrancesBefore } from "@/components/backends/unreached.ts";
import { ButtonLink } from "@/components/Button.tsx";
import { callUrl } from "@/components/call_url.ts";
import { type DraftStatus, statusOf } from "@/components/drafts/draft_status.ts";
import { DraftFacts } from "@/components/drafts/DraftFacts.tsx";
import { SavedNotice } from "@/components/drafts/SavedNotice.tsx";
import { readPostedForm, type ShownForm } from "@/components/fields/posted_form.ts";
import { StaleNotice } from "@/components/fields/StaleNotice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { type AdminState, defineAdmin } from "@/define.ts";
import type { Backend } from "@/gateway/records/backend.ts";
import { withTransitionStarts } from "@/gateway/records/transitions.ts";
import type { ServerHealth } from "@/gateway/upstream/server_state.ts";
import { BackendForm } from "@/islands/BackendForm.tsx";
import { correctable, faultInit } from "../../../../(_requests)/correctable.ts";
import { readForm } from "../../../../(_requests)/form.ts";

interface Shown extends ShownForm<BackendFields> {
  /** As it is stored. */
  readonly backend: Backend;
  /** Somebody else saved in the meantime; saving again puts the form in the place of that. */
  readonly stale: boolean;
  /** The backends that win over this one where prefixes are equal. */
  readonly earlier: readonly Entrance[];
  /** Those it is live with; none if it is not. */
  readonly servers: readonly ServerHealth[];
}

async function shown(
  form: Omit<Shown, "earlier" | "servers">,
  { portico }: AdminState,
): Promise<Shown> {
  const { config, backends, serverHealth } = portico;
  const all = entrances(config.apis, await backends.all());
  return {
    ...form,
    earlier: entrancesBefore(form.backend, all),
    servers: await serverHealth.ofOne(form.backend.id),
  };
}

export const handler = defineAdmin.handlers({
  /** The query may name a field to go to, as a link from an explanation does. */
  async GET({ state, params, url }) {
    const { backends, publishing } = state.portico;
    const backend = await backends.get(params.id ?? "");
    const live = publishing.live?.backends.find(({ id }) => id === backend.id);
    // Since when its transitions go on is known of what is live alone.
    const form = backendForm(withTransitionStarts(backend, live, ""));
    return page(
      await shown(
        {
          backend,
          form,
          errors: [],
          focus: url.searchParams.get("field"),
          unsaved: false,
          stale: false,
        },
        state,
      ),
    );
  },

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const backend = await portico.backends.get(ctx.params.id ?? "");
    const posted = readPostedForm(await readForm(ctx.req), backendEdits);
    if (posted.wants === "rows") {
      return page(await shown({ ...posted.shown, backend, stale: false }, ctx.state));
    }
    const { form, version } = posted;
    try {
      const { id } = backend;
      await portico.backends.change(id, backendRecord(form), admin.username, version);
      return ctx.redirect(`/admin/backends/${id}?done=saved`, 303);
    } catch (error) {
      const fault = correctable(error);
      const stale = fault.kind === "STALE";
      const errors = stale ? [] : formErrors(fault.errors, form);
      const back = { backend, form, errors, focus: null, unsaved: true, stale };
      return page(await shown(back, ctx.state), faultInit(fault));
    }
  },
});

export default defineAdmin.page<typeof handler>(function BackendPage({ data, state, url }) {
  const { backend, stale, servers, ...form } = data;
  const { config } = state.portico;
  const status = statusOf(state.changes.find(({ id }) => id === backend.id)?.change);
  return (
    <>
      <PageHead
        title={backend.name}
        siteName={config.site_name}
        text={<DraftFacts status={status} draft={backend} />}
        action={
          <>
            <ButtonLink href={`/admin/logs?api_backend_id=${backend.id}`}>See its calls</ButtonLink>
            <ButtonLink href={explainHref(backend, status, state.client.baseUrl)}>
              Explain a call
            </ButtonLink>
            <ButtonLink href={`/admin/cache?backend_id=${backend.id}`}>Purge cache</ButtonLink>
            <ButtonLink href={`/admin/backends/${backend.id}/delete`} look="danger">
              Delete
            </ButtonLink>
          </>
        }
      />
      <div class="stack">
        {url.searchParams.get("done") === "saved" && !form.unsaved && (
          <SavedNotice status={status} />
        )}
        {stale && (
          <StaleNotice record={backend} noun="API backend" href={`/admin/backends/${backend.id}`} />
        )}
        {servers.length > 0 && (
          <ServerHealthSection
            servers={servers}
            again={`/admin/backends/${backend.id}?servers=open`}
            open={url.searchParams.get("servers") === "open"}
          />
        )}
        <BackendForm
          {...form}
          version={backend.version}
          inherited={inheritedSettings(config)}
          baseUrl={state.client.baseUrl}
        />
      </div>
    </>
  );
});

/** Leads to a call below the first prefix, by the drafts where they are not what is live. */
function explainHref(
  { frontend_host, url_matches }: Backend,
  status: DraftStatus,
  baseUrl: string,
): string {
  const url = callUrl(baseUrl, frontend_host, url_matches[0]?.frontend_prefix ?? "/");
  const query = new URLSearchParams({ url, ...(status !== "live" && { draft: "true" }) });
  return `/admin/explain?${query}`;
}
