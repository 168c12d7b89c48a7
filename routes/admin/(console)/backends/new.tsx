/** A new API backend. */
import { page } from "fresh";
import {
  type BackendForm as BackendFields,
  newBackendForm,
} from "@/components/backends/backend_form.ts";
import { formErrors } from "@/components/backends/error_places.ts";
import { backendRecord } from "@/components/backends/form_record.ts";
import { backendEdits } from "@/components/backends/form_rows.ts";
import { inheritedSettings } from "@/components/backends/settings/server_defaults.ts";
import { type Entrance, entrances, entrancesBefore } from "@/components/backends/unreached.ts";
import { readPostedForm, type ShownForm } from "@/components/fields/posted_form.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { type AdminState, defineAdmin } from "@/define.ts";
import { BackendForm } from "@/islands/BackendForm.tsx";
import { correctable, faultInit } from "../../../(_requests)/correctable.ts";
import { readForm } from "../../../(_requests)/form.ts";

interface Shown extends ShownForm<BackendFields> {
  /** The backends that are there already. */
  readonly earlier: readonly Entrance[];
}

async function shown(form: ShownForm<BackendFields>, { portico }: AdminState): Promise<Shown> {
  const { config, backends } = portico;
  const all = entrances(config.apis, await backends.all());
  return { ...form, earlier: entrancesBefore(null, all) };
}

export const handler = defineAdmin.handlers({
  /** The query may fill the form in, as a link to an example does. */
  async GET({ state, url }) {
    const form = newBackendForm(url.searchParams);
    return page(await shown({ form, errors: [], focus: null, unsaved: false }, state));
  },

  async POST(ctx) {
    const posted = readPostedForm(await readForm(ctx.req), backendEdits);
    if (posted.wants === "rows") return page(await shown(posted.shown, ctx.state));
    const { form } = posted;
    try {
      const { portico, admin } = ctx.state;
      const { id } = await portico.backends.create(backendRecord(form), admin.username);
      return ctx.redirect(`/admin/backends/${id}?done=saved`, 303);
    } catch (error) {
      const fault = correctable(error);
      const errors = formErrors(fault.errors, form);
      return page(
        await shown({ form, errors, focus: null, unsaved: true }, ctx.state),
        faultInit(fault),
      );
    }
  },
});

export default defineAdmin.page<typeof handler>(function NewBackendPage({ data, state }) {
  const { config } = state.portico;
  return (
    <>
      <PageHead
        title="Add an API backend"
        siteName={config.site_name}
        text="A web service that you have already: where it is, and how callers reach it here."
      />
      <BackendForm
        {...data}
        version={null}
        inherited={inheritedSettings(config)}
        baseUrl={state.client.baseUrl}
      />
    </>
  );
});
