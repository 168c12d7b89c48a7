/** One API user: change it, disable it, or lead on to its calls and to deleting it. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { readPostedForm, type ShownForm } from "@/components/fields/posted_form.ts";
import { StaleNotice } from "@/components/fields/StaleNotice.tsx";
import { Notice } from "@/components/Notice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { EnableButton } from "@/components/users/EnableButton.tsx";
import type { UserForm as UserFields } from "@/components/users/user_form.ts";
import { type ShownUserPage, shownUserPage } from "@/components/users/user_page.ts";
import { userErrors, userForm, userRecord } from "@/components/users/user_record.ts";
import { userEdits } from "@/components/users/user_rows.ts";
import { UserFacts } from "@/components/users/UserFacts.tsx";
import { UserStatePill } from "@/components/users/UserStatePill.tsx";
import { type AdminState, defineAdmin } from "@/define.ts";
import type { ApiUser } from "@/gateway/records/user.ts";
import { userState } from "@/gateway/users/users.ts";
import { UserForm } from "@/islands/UserForm.tsx";
import { correctable, faultInit } from "../../../../(_requests)/correctable.ts";
import { readForm } from "../../../../(_requests)/form.ts";

interface Shown extends ShownUserPage {
  /** As it is stored. */
  readonly user: ApiUser;
  /** Somebody else saved in the meantime; saving again puts the form in the place of that. */
  readonly stale: boolean;
}

async function shown(
  { user, stale, ...form }: ShownForm<UserFields> & Pick<Shown, "user" | "stale">,
  { portico }: AdminState,
): Promise<Shown> {
  return { ...await shownUserPage(form, portico), user, stale };
}

export const handler = defineAdmin.handlers({
  /** The query may name a field to go to, as a link from an explanation does. */
  async GET({ state, params, url }) {
    const user = await state.portico.users.get(params.id ?? "");
    const focus = url.searchParams.get("field");
    const form = { form: userForm(user), errors: [], focus, unsaved: false };
    return page(await shown({ ...form, user, stale: false }, state));
  },

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const user = await portico.users.get(ctx.params.id ?? "");
    const posted = readPostedForm(await readForm(ctx.req), userEdits);
    if (posted.wants === "rows") {
      return page(await shown({ ...posted.shown, user, stale: false }, ctx.state));
    }
    const { form, version } = posted;
    try {
      const changed = await portico.users.change(
        user.id,
        userRecord(form),
        admin.username,
        version,
      );
      const done = user.enabled && !changed.enabled ? "disabled" : "saved";
      return ctx.redirect(`/admin/users?${new URLSearchParams({ done, user: user.id })}`, 303);
    } catch (error) {
      const fault = correctable(error);
      const stale = fault.kind === "STALE";
      const errors = stale ? [] : userErrors(fault.errors, form);
      const back = { form, errors, focus: null, unsaved: true, user, stale };
      return page(await shown(back, ctx.state), faultInit(fault));
    }
  },
});

export default defineAdmin.page<typeof handler>(function UserPage({ data, state, url }) {
  const { user, stale, ...form } = data;
  const { id } = user;
  const done = url.searchParams.get("done");
  return (
    <>
      <PageHead
        title={user.email}
        siteName={state.portico.config.site_name}
        text={
          <span class="row">
            <UserStatePill state={userState(user, Date.now())} />
            <a href={`/admin/logs?${new URLSearchParams({ user_id: id })}`}>See their calls</a>
            <a href={`/admin/explain?${new URLSearchParams({ user: id })}`}>
              Explain a call of theirs
            </a>
          </span>
        }
        action={
          <>
            <EnableButton user={user} back={`/admin/users/${id}`} />
            <ButtonLink href={`/admin/users/${id}/delete`} look="danger">Delete</ButtonLink>
          </>
        }
      />
      <div class="stack">
        {done === "disabled" && (
          <Notice tone="ok">Disabled: calls with this key are refused within a second.</Notice>
        )}
        {done === "enabled" && (
          <Notice tone="ok">Enabled: calls with this key are let in within a second.</Notice>
        )}
        {stale && <StaleNotice record={user} noun="API user" href={`/admin/users/${id}`} />}
        <UserFacts user={user} />
        <UserForm {...form} version={user.version} action="Save" />
      </div>
    </>
  );
});
