/** Revoking an admin token, after asking. */
import { page } from "fresh";
import { ConfirmForm } from "@/components/ConfirmForm.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Time } from "@/components/Time.tsx";
import { defineAdmin } from "@/define.ts";
import { Fault } from "@/gateway/faults.ts";

export const handler = defineAdmin.handlers({
  async GET(ctx) {
    const { portico, admin } = ctx.state;
    const token = (await portico.tokens.list(admin)).find(({ id }) => id === ctx.params.id);
    if (token === undefined) throw new Fault("NOT_FOUND", "This admin token does not exist.");
    return page({ token });
  },

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    await portico.tokens.revoke(admin, ctx.params.id ?? "");
    return ctx.redirect("/admin/tokens?done=revoked", 303);
  },
});

export default defineAdmin.page<typeof handler>(function RevokePage({ data: { token }, state }) {
  return (
    <>
      <PageHead
        title={`Revoke “${token.name}”?`}
        siteName={state.portico.config.site_name}
        text="Scripts that use this token are refused from then on. It cannot be undone."
      />
      <ConfirmForm action={`Revoke “${token.name}”`} back="/admin/tokens">
        <dl class="facts">
          <dt>Token</dt>
          <dd>
            <code>{token.token_preview}</code>
          </dd>
          <dt>Made</dt>
          <dd>
            <Time at={token.created_at} />
          </dd>
          <dt>Last used</dt>
          <dd>{token.last_used_at === null ? "never" : <Time at={token.last_used_at} />}</dd>
        </dl>
      </ConfirmForm>
    </>
  );
});
