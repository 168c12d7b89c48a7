/** The website backends: which host has which website, and whether that is live. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { CopyBox } from "@/components/CopyBox.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Notice } from "@/components/Notice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { type ListedWebsite, listedWebsites } from "@/components/websites/listing.ts";
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
        {url.searchParams.get("done") === "deleted" && <Deleted />}
        {isEmpty
          ? <NoWebsites baseUrl={state.client.baseUrl} />
          : <WebsiteTable rows={data.rows} />}
      </div>
    </>
  );
});

function Deleted() {
  return (
    <Notice tone="ok">
      <p>
        The website backend is deleted. If it was live, visitors see it until you{" "}
        <a href="/admin/publish">publish the deletion</a>.
      </p>
    </Notice>
  );
}

const example = { frontend_host: "www.example.org", server_host: "10.0.0.9", server_port: 80 };

function NoWebsites({ baseUrl }: { baseUrl: string }) {
  const line = `curl -X POST -H "Authorization: Bearer YOUR_ADMIN_TOKEN" ` +
    `-H "Content-Type: application/json" -d '${JSON.stringify(example)}' ` +
    `"${baseUrl}/admin/api/v1/website_backends"`;
  return (
    <EmptyState
      title="No website backend yet"
      text={
        <>
          A website backend is the server behind everything on a host that is no API and no page of
          Portico's own. Without one, a host shows <a href="/">the homepage</a>{" "}
          and nothing else besides its APIs.
        </>
      }
    >
      <ButtonLink href="/admin/websites/new" look="primary">Add a website backend</ButtonLink>
      <p>
        Or with curl and an <a href="/admin/tokens">admin token</a>:
      </p>
      <CopyBox id="add-website-line" text={line} label="curl line to add a website backend" />
    </EmptyState>
  );
}
