/** The website backends: which host has which website, and whether that is live. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { DeletedNotice } from "@/components/drafts/DeletedNotice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { type ListedWebsite, listedWebsites } from "@/components/websites/listing.ts";
import { NoWebsites } from "@/components/websites/NoWebsites.tsx";
import { WebsiteTable } from "@/components/websites/WebsiteTable.tsx";
import { defineAdmin } from "@/define.ts";

export const handler = defineAdmin.handlers({
  async GET({ state: { portico, changes } }) {
    const { websites, publishing, config } = portico;
    return page<{ readonly rows: readonly ListedWebsite[] }>({
      rows: listedWebsites({
        drafts: await websites.all(),
        live: publishing.live?.website_backends ?? [],
        changes,
        fixed: config.website_backends,
      }),
    });
  },
});

export default defineAdmin.page<typeof handler>(function WebsitesPage({ data, state, url }) {
  const isEmpty = data.rows.length === 0;
  return (
    <>
      <PageHead
        title="Website Backends"
        siteName={state.portico.config.site_name}
        text="What a host has besides APIs: its website, for everybody and without a key."
        action={isEmpty
          ? undefined
          : (
            <ButtonLink href="/admin/websites/new" look="primary">Add a website backend</ButtonLink>
          )}
      />
      <div class="stack">
        {url.searchParams.get("done") === "deleted" && (
          <DeletedNotice noun="website backend" meanwhile="visitors see it" />
        )}
        {isEmpty
          ? <NoWebsites baseUrl={state.client.baseUrl} />
          : <WebsiteTable rows={data.rows} />}
      </div>
    </>
  );
});
