/** A new website backend. */
import { page } from "fresh";
import type { FieldErrors } from "@/components/form_errors.ts";
import { PageHead } from "@/components/PageHead.tsx";
import {
  newWebsite,
  typedWebsite,
  type WebsiteFields,
  websiteRecord,
} from "@/components/websites/website_fields.ts";
import { WebsiteForm } from "@/components/websites/WebsiteForm.tsx";
import { defineAdmin } from "@/define.ts";
import { correctable, faultInit } from "../../../(_requests)/correctable.ts";
import { readForm } from "../../../(_requests)/form.ts";

interface Shown {
  readonly fields: WebsiteFields;
  readonly errors: FieldErrors;
}

export const handler = defineAdmin.handlers({
  GET: () => page<Shown>({ fields: newWebsite, errors: [] }),

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const fields = typedWebsite(await readForm(ctx.req));
    try {
      const { id } = await portico.websites.create(websiteRecord(fields), admin.username);
      return ctx.redirect(`/admin/websites/${id}?done=saved`, 303);
    } catch (error) {
      const fault = correctable(error);
      return page<Shown>({ fields, errors: fault.errors }, faultInit(fault));
    }
  },
});

export default defineAdmin.page<typeof handler>(function NewWebsitePage({ data, state }) {
  return (
    <>
      <PageHead
        title="Add a website backend"
        siteName={state.portico.config.site_name}
        text="The server behind everything on a host that is no API and no page of Portico's own."
      />
      <WebsiteForm {...data} />
    </>
  );
});
