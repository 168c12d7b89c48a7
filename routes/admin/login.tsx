/** Signing in. */
import { page } from "fresh";
import { Button } from "@/components/Button.tsx";
import { ErrorSummary } from "@/components/ErrorSummary.tsx";
import { TextField } from "@/components/Field.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { GateShell } from "@/components/GateShell.tsx";
import { define } from "@/define.ts";
import { correctable, faultInit } from "../(_requests)/correctable.ts";
import { refuseCrossOrigin } from "../(_requests)/cross_origin.ts";
import { readForm } from "../(_requests)/form.ts";
import { localPath } from "../(_requests)/local_path.ts";
import { refusePlainHttp } from "../(_requests)/plain_http.ts";
import { beginSession } from "../(_requests)/session.ts";

interface Shown {
  readonly username: string;
  readonly returnTo: string;
  readonly errors: FieldErrors;
}

export const handler = define.handlers({
  GET(ctx) {
    if (ctx.state.portico.accounts.needsSetup) return ctx.redirect("/admin/setup", 303);
    const returnTo = localPath(ctx.url.searchParams.get("return_to"), "/admin/");
    return page<Shown>({ username: "", returnTo, errors: [] });
  },

  async POST(ctx) {
    refusePlainHttp(ctx.state, "/admin/");
    refuseCrossOrigin(ctx.state, ctx.req, "/admin/");
    const { username = "", password = "", return_to } = await readForm(ctx.req);
    const returnTo = localPath(return_to, "/admin/");
    try {
      const { portico, client } = ctx.state;
      const admin = await portico.accounts.signIn({ username, password }, client.address);
      return await beginSession(ctx.state, ctx.req, admin, returnTo);
    } catch (error) {
      const fault = correctable(error);
      return page<Shown>({ username, returnTo, errors: fault.errors }, faultInit(fault));
    }
  },
});

const labels: Record<string, string> = { username: "User name", password: "Password" };

export default define.page<typeof handler>(function Login({ data, state, url }) {
  const { username, returnTo, errors } = data;
  return (
    <GateShell title="Sign in" text="The admin of this server." state={state} url={url}>
      <form class="form" method="post" action="/admin/login" noValidate>
        <ErrorSummary errors={errors} labels={(name) => labels[name] ?? name} />
        <input type="hidden" name="return_to" value={returnTo} />
        <TextField
          name="username"
          label="User name"
          value={username}
          errors={errors}
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <TextField
          name="password"
          label="Password"
          type="password"
          errors={errors}
          autocomplete="current-password"
          required
        />
        <div class="form-actions">
          <Button look="primary">Sign in</Button>
        </div>
      </form>
    </GateShell>
  );
});
