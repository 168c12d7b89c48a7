/** Deleting an API user, after asking. */
import { page } from "fresh";
import { ConfirmForm } from "@/components/ConfirmForm.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Time } from "@/components/Time.tsx";
import { defineAdmin } from "@/define.ts";

export const handler = defineAdmin.handlers({
  async GET(ctx) {
    return page({ user: await ctx.state.portico.users.get(ctx.params.id ?? "") });
  },

  async POST(ctx) {
    await ctx.state.portico.users.remove(ctx.params.id ?? "");
    return ctx.redirect("/admin/users?done=deleted", 303);
  },
});

export default defineAdmin.page<typeof handler>(function DeleteUserPage({ data, state }) {
  const { user } = data;
  return (
    <>
      <PageHead
        title={`Delete ${user.email}?`}
        siteName={state.portico.config.site_name}
        text="The key is refused from then on. It cannot be undone; disabling the key can."
      />
      <ConfirmForm action="Delete the API user" back={`/admin/users/${user.id}`}>
        <dl class="facts">
          <dt>Name</dt>
          <dd>{user.first_name} {user.last_name}</dd>
          <dt>Key</dt>
          <dd>
            <code>{user.api_key_preview}…</code>
          </dd>
          <dt>Since</dt>
          <dd>
            <Time at={user.created_at} />
          </dd>
        </dl>
      </ConfirmForm>
    </>
  );
});
