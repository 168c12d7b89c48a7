/** One API user: change it, or lead on to deleting it. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { PageHead } from "@/components/PageHead.tsx";
import { Time } from "@/components/Time.tsx";
import {
  fieldsOfUser,
  typedUser,
  userErrors,
  type UserFields,
  userRecord,
} from "@/components/user_fields.ts";
import { UserForm } from "@/components/UserForm.tsx";
import { defineAdmin } from "@/define.ts";
import type { ApiUser } from "@/gateway/records/user.ts";
import { correctable, faultHeaders } from "../../../../(_requests)/correctable.ts";
import { readForm } from "../../../../(_requests)/form.ts";

interface Shown {
  readonly user: ApiUser;
  readonly fields: UserFields;
  readonly errors: FieldErrors;
}

export const handler = defineAdmin.handlers({
  async GET(ctx) {
    const user = await ctx.state.portico.users.get(ctx.params.id ?? "");
    return page<Shown>({ user, fields: fieldsOfUser(user), errors: [] });
  },

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const user = await portico.users.get(ctx.params.id ?? "");
    const fields = typedUser(await readForm(ctx.req));
    try {
      const changed = await portico.users.change(
        user.id,
        userRecord(fields),
        admin.username,
        fields.version === "" ? undefined : Number(fields.version),
      );
      const done = user.enabled && !changed.enabled ? "disabled" : "saved";
      return ctx.redirect(`/admin/users?${new URLSearchParams({ done, user: user.id })}`, 303);
    } catch (error) {
      const fault = correctable(error);
      return page<Shown>({ user, fields, errors: userErrors(fault.errors) }, {
        status: fault.status,
        headers: faultHeaders(fault),
      });
    }
  },
});

const sources: Record<ApiUser["registration_source"], string> = {
  web: "on the sign-up page",
  api: "by a program, at the sign-up page",
  admin: "by an admin",
};

export default defineAdmin.page<typeof handler>(function UserPage({ data, state }) {
  const { user, fields, errors } = data;
  return (
    <>
      <PageHead
        title={user.email}
        siteName={state.portico.config.site_name}
        text={
          <>
            Key <code>{user.api_key_preview}…</code>, made <Time at={user.created_at} />{" "}
            {sources[user.registration_source]}
            {user.registration_ip !== null && (
              <>
                {" "}
                from <code>{user.registration_ip}</code>
              </>
            )}.{" "}
            <a href={`/admin/logs?${new URLSearchParams({ user_id: user.id })}`}>See their calls</a>
          </>
        }
        action={
          <ButtonLink href={`/admin/users/${user.id}/delete`} look="danger">Delete</ButtonLink>
        }
      />
      <UserForm fields={fields} errors={errors} action="Save" />
    </>
  );
});
