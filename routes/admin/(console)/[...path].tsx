/** What is no page of the admin: a 404 inside its frame. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { defineAdmin } from "@/define.ts";

export const handler = defineAdmin.handlers(() => page(undefined, { status: 404 }));

export default defineAdmin.page<typeof handler>(function NoSuchPage({ state }) {
  return (
    <>
      <PageHead
        title="There is no such page"
        siteName={state.portico.config.site_name}
        text="The address may be mistyped, or what was here has been deleted."
      />
      <ButtonLink href="/admin/">Go to the API backends</ButtonLink>
    </>
  );
});
