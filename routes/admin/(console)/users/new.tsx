/** A new API user; the key is in the answer to the form, this once. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { readPostedForm, type ShownForm } from "@/components/fields/posted_form.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { ShownOnce } from "@/components/ShownOnce.tsx";
import { newUserForm, type UserForm as UserFields } from "@/components/users/user_form.ts";
import { type ShownUserPage, shownUserPage } from "@/components/users/user_page.ts";
import { userErrors, userRecord } from "@/components/users/user_record.ts";
import { userEdits } from "@/components/users/user_rows.ts";
import { type AdminState, defineAdmin } from "@/define.ts";
import { UserForm } from "@/islands/UserForm.tsx";
import { correctable, faultInit } from "../../../(_requests)/correctable.ts";
import { readForm } from "../../../(_requests)/form.ts";

type Shown =
  | { readonly key: null; readonly form: ShownUserPage }
  | { readonly key: string; readonly email: string };

async function shown(form: ShownForm<UserFields>, { portico }: AdminState): Promise<Shown> {
  return { key: null, form: await shownUserPage(form, portico) };
}

export const handler = defineAdmin.handlers({
  async GET({ state }) {
    const form = { form: newUserForm, errors: [], focus: null, unsaved: false };
    return page<Shown>(await shown(form, state));
  },

  async POST({ req, state }) {
    const { portico, admin } = state;
    const posted = readPostedForm(await readForm(req), userEdits);
    if (posted.wants === "rows") return page<Shown>(await shown(posted.shown, state));
    const { form } = posted;
    try {
      const { user, api_key } = await portico.users.create(userRecord(form), admin.username);
      return page<Shown>({ key: api_key, email: user.email });
    } catch (error) {
      const fault = correctable(error);
      const errors = userErrors(fault.errors, form);
      const back = await shown({ form, errors, focus: null, unsaved: true }, state);
      return page<Shown>(back, faultInit(fault));
    }
  },
});

export default defineAdmin.page<typeof handler>(function NewUserPage({ data, state }) {
  const { site_name } = state.portico.config;
  if (data.key === null) {
    return (
      <>
        <PageHead
          title="Add an API user"
          siteName={site_name}
          text="Makes a key for somebody who does not sign up. It is shown on the next page."
        />
        <UserForm {...data.form} version={null} action="Add the API user" />
      </>
    );
  }
  return (
    <>
      <PageHead
        title="The API key"
        siteName={site_name}
        text={`Of ${data.email}. It works at once.`}
      />
      <div class="stack form">
        <ShownOnce id="api-key" secret={data.key} label="API key">
          Hand it on now, in a way that nobody else reads. Reloading this page would add another API
          user.
        </ShownOnce>
        <div class="form-actions">
          <ButtonLink href="/admin/users">To the API users</ButtonLink>
        </div>
      </div>
    </>
  );
});
