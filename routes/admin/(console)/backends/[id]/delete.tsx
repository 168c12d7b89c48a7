/** The question before an API backend is deleted. */
import { page } from "fresh";
import { ConfirmForm } from "@/components/ConfirmForm.tsx";
import { ErrorSummary } from "@/components/ErrorSummary.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { seenVersion } from "@/components/seen_version.ts";
import { defineAdmin } from "@/define.ts";
import type { Backend } from "@/gateway/records/backend.ts";
import { correctable, faultInit } from "../../../../(_requests)/correctable.ts";
import { readForm } from "../../../../(_requests)/form.ts";

interface Shown {
  readonly backend: Backend;
  readonly errors: FieldErrors;
}

export const handler = defineAdmin.handlers({
  async GET({ state, params }) {
    return page<Shown>({ backend: await state.portico.backends.get(params.id ?? ""), errors: [] });
  },

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const backend = await portico.backends.get(ctx.params.id ?? "");
    const { version = "" } = await readForm(ctx.req);
    try {
      await portico.backends.remove(backend.id, seenVersion(version), admin.username);
      return ctx.redirect("/admin/backends?done=deleted", 303);
    } catch (error) {
      const fault = correctable(error);
      return page<Shown>({ backend, errors: fault.errors }, faultInit(fault));
    }
  },
});

export default defineAdmin.page<typeof handler>(function DeleteBackendPage({ data, state }) {
  const { backend, errors } = data;
  const live = state.portico.publishing.live?.backends.find(({ id }) => id === backend.id);
  return (
    <>
      <PageHead
        title={`Delete ${backend.name}?`}
        siteName={state.portico.config.site_name}
        text="This deletes the API backend with all of its settings. It cannot be undone."
      />
      <ConfirmForm action="Delete the API backend" back={`/admin/backends/${backend.id}`}>
        <ErrorSummary errors={errors} labels={(field) => field} />
        <input type="hidden" name="version" value={backend.version} />
        <dl class="facts">
          <dt>Name</dt>
          <dd>{backend.name}</dd>
          <dt>Prefixes</dt>
          <dd>
            <Lines
              items={backend.url_matches.map(({ frontend_prefix }) => frontend_prefix)}
            />
          </dd>
          <dt>Servers</dt>
          <dd>
            <Lines items={backend.servers.map(({ host, port }) => `${host}:${port}`)} />
          </dd>
        </dl>
        <p>{consequence(live !== undefined)}</p>
      </ConfirmForm>
    </>
  );
});

function consequence(live: boolean): string {
  return live
    ? "It is live: calls keep coming through until you publish the deletion. From then on they " +
      "are answered with 404. Its past calls stay in the log."
    : "It is not live, so no caller notices.";
}

function Lines({ items }: { items: readonly string[] }) {
  return <>{items.map((item) => <code key={item} class="line">{item}</code>)}</>;
}
