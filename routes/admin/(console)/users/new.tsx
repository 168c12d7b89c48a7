/** A new API user; the key is in the answer to the form, this once. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { ShownOnce } from "@/components/ShownOnce.tsx";
import {
  emptyUser,
  typedUser,
  userErrors,
  type UserFields,
  userRecord,
} from "@/components/user_fields.ts";
import { UserForm } from "@/components/UserForm.tsx";
import { defineAdmin } from "@/define.ts";
import { correctable, faultHeaders } from "../../../(_requests)/correctable.ts";
import { readForm } from "../../../(_requests)/form.ts";

type Shown =
  | { readonly key: null; readonly fields: UserFields; readonly errors: FieldErrors }
  | { readonly key: string; readonly email: string };

export const handler = defineAdmin.handlers({
  GET: () => page<Shown>({ key: null, fields: emptyUser, errors: [] }),

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const fields = typedUser(await readForm(ctx.req));
    try {
      const { user, api_key } = await portico.users.create(userRecord(fields), admin.username);
      return page<Shown>({ key: api_key, email: user.email });
    } catch (error) {
      const fault = correctable(error);
      return page<Shown>({ key: null, fields, errors: userErrors(fault.errors) }, {
        status: fault.status,
        headers: faultHeaders(fault),
      });
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
        <UserForm fields={data.fields} errors={data.errors} action="Add the API user" />
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
