/** The question before a website backend is deleted. */
import { page } from "fresh";
import { ConfirmForm } from "@/components/ConfirmForm.tsx";
import { ErrorSummary } from "@/components/ErrorSummary.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { seenVersion } from "@/components/seen_version.ts";
import { serverOf } from "@/components/websites/listing.ts";
import { defineAdmin } from "@/define.ts";
import type { WebsiteBackend } from "@/gateway/records/website.ts";
import { correctable, faultInit } from "../../../../(_requests)/correctable.ts";
import { readForm } from "../../../../(_requests)/form.ts";

interface Shown {
  readonly website: WebsiteBackend;
  readonly errors: FieldErrors;
}

export const handler = defineAdmin.handlers({
  async GET({ state, params }) {
    return page<Shown>({ website: await state.portico.websites.get(params.id ?? ""), errors: [] });
  },

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const website = await portico.websites.get(ctx.params.id ?? "");
    const { version = "" } = await readForm(ctx.req);
    try {
      await portico.websites.remove(website.id, seenVersion(version), admin.username);
      return ctx.redirect("/admin/websites?done=deleted", 303);
    } catch (error) {
      const fault = correctable(error);
      return page<Shown>({ website, errors: fault.errors }, faultInit(fault));
    }
  },
});

export default defineAdmin.page<typeof handler>(function DeleteWebsitePage({ data, state }) {
  const { website, errors } = data;
  const { live } = state.portico.publishing;
  const isLive = live?.website_backends.some(({ id }) => id === website.id) === true;
  return (
    <>
      <PageHead
        title={`Delete the website of ${website.frontend_host}?`}
        siteName={state.portico.config.site_name}
        text="This deletes the website backend, not the website itself. It cannot be undone."
      />
      <ConfirmForm action="Delete the website backend" back={`/admin/websites/${website.id}`}>
        <ErrorSummary errors={errors} labels={(field) => field} />
        <input type="hidden" name="version" value={website.version} />
        <dl class="facts">
          <dt>Host</dt>
          <dd>
            <code>{website.frontend_host}</code>
          </dd>
          <dt>Server</dt>
          <dd>
            <code>{serverOf(website)}</code>
          </dd>
        </dl>
        <p>
          {isLive
            ? "It is live: visitors see it until you publish the deletion. From then on they get " +
              "404, and Portico's homepage at /, unless another website is for this host as well."
            : "It is not live, so no visitor notices."}
        </p>
      </ConfirmForm>
    </>
  );
});
