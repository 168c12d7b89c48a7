/** One website backend: change it, or lead on to deleting it. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { statusOf } from "@/components/drafts/draft_status.ts";
import { DraftFacts } from "@/components/drafts/DraftFacts.tsx";
import { SavedNotice } from "@/components/drafts/SavedNotice.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { seenVersion } from "@/components/seen_version.ts";
import {
  fieldsOfWebsite,
  typedWebsite,
  type WebsiteFields,
  websiteRecord,
} from "@/components/websites/website_fields.ts";
import { WebsiteForm } from "@/components/websites/WebsiteForm.tsx";
import { defineAdmin } from "@/define.ts";
import type { WebsiteBackend } from "@/gateway/records/website.ts";
import { correctable, faultInit } from "../../../../(_requests)/correctable.ts";
import { readForm } from "../../../../(_requests)/form.ts";

interface Shown {
  readonly website: WebsiteBackend;
  readonly fields: WebsiteFields;
  readonly errors: FieldErrors;
}

export const handler = defineAdmin.handlers({
  async GET({ state, params }) {
    const website = await state.portico.websites.get(params.id ?? "");
    return page<Shown>({ website, fields: fieldsOfWebsite(website), errors: [] });
  },

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const website = await portico.websites.get(ctx.params.id ?? "");
    const fields = typedWebsite(await readForm(ctx.req));
    try {
      const seen = seenVersion(fields.version);
      await portico.websites.change(website.id, websiteRecord(fields), admin.username, seen);
      return ctx.redirect(`/admin/websites/${website.id}?done=saved`, 303);
    } catch (error) {
      const fault = correctable(error);
      return page<Shown>({ website, fields, errors: fault.errors }, faultInit(fault));
    }
  },
});

export default defineAdmin.page<typeof handler>(function WebsitePage({ data, state, url }) {
  const { website, fields, errors } = data;
  const status = statusOf(state.changes.find(({ id }) => id === website.id)?.change);
  return (
    <>
      <PageHead
        title={website.frontend_host}
        siteName={state.portico.config.site_name}
        text={<DraftFacts status={status} draft={website} />}
        action={
          <ButtonLink href={`/admin/websites/${website.id}/delete`} look="danger">
            Delete
          </ButtonLink>
        }
      />
      <div class="stack">
        {url.searchParams.get("done") === "saved" && errors.length === 0 && (
          <SavedNotice status={status} />
        )}
        <WebsiteForm fields={fields} errors={errors} />
      </div>
    </>
  );
});
