/** The first access to a new server: creates the first admin account, and signs it in. */
import { page } from "fresh";
import { Button } from "@/components/Button.tsx";
import { ErrorSummary } from "@/components/ErrorSummary.tsx";
import { TextField } from "@/components/Field.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { GateShell } from "@/components/GateShell.tsx";
import { define, type State } from "@/define.ts";
import type { Admin } from "@/gateway/records/admin.ts";
import { correctable, faultInit } from "../(_requests)/correctable.ts";
import { refuseCrossOrigin } from "../(_requests)/cross_origin.ts";
import { type FormFields, readForm } from "../(_requests)/form.ts";
import { refusePlainHttp } from "../(_requests)/plain_http.ts";
import { beginSession } from "../(_requests)/session.ts";

interface Shown {
  readonly username: string;
  readonly setupCode: string;
  readonly errors: FieldErrors;
}

export const handler = define.handlers({
  GET(ctx) {
    if (!ctx.state.portico.accounts.needsSetup) return ctx.redirect("/admin/login", 303);
    return page<Shown>({ username: "", setupCode: "", errors: [] });
  },

  async POST(ctx) {
    refusePlainHttp(ctx.state, "/admin/");
    refuseCrossOrigin(ctx.state, ctx.req, "/admin/");
    const form = await readForm(ctx.req);
    try {
      return await beginSession(ctx.state, ctx.req, await setUp(ctx.state, form), "/admin/");
    } catch (error) {
      const fault = correctable(error);
      const { username = "", setup_code: setupCode = "" } = form;
      return page<Shown>({ username, setupCode, errors: fault.errors }, faultInit(fault));
    }
  },
});

function setUp({ portico, client }: State, form: FormFields): Promise<Admin> {
  const { password_confirmation: confirmation, ...input } = form;
  return portico.accounts.setUp(input, client, confirmationErrors(input.password, confirmation));
}

function confirmationErrors(password = "", confirmation = ""): FieldErrors {
  if (password === confirmation) return [];
  const message = "is not the same as the password";
  return [{ code: "INVALID_INPUT", message, field: "password_confirmation" }];
}

const labels: Record<string, string> = {
  username: "User name",
  password: "Password",
  password_confirmation: "Password again",
  setup_code: "Setup code",
};

export default define.page<typeof handler>(function Setup({ data, state, url }) {
  const { username, setupCode, errors } = data;
  const { config, accounts } = state.portico;
  const field = (name: string) => ({ name, label: labels[name] ?? name, errors });
  return (
    <GateShell
      title="Create the first admin"
      text="This server is new. The account you create here manages it."
      state={state}
      url={url}
    >
      <form class="form" method="post" action="/admin/setup" noValidate>
        <ErrorSummary errors={errors} labels={(name) => labels[name] ?? name} />
        {!state.client.direct && (
          <TextField
            {...field("setup_code")}
            help="The server printed it when it started: in its terminal or its log."
            value={setupCode}
            autocapitalize="characters"
            mono
            required
          />
        )}
        <TextField
          {...field("username")}
          help={claimHelp(state.client.direct ? accounts.claimableUsernames : [])}
          value={username}
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <TextField
          {...field("password")}
          help={`At least ${config.web.admin.password_length_min} characters. Length counts, not symbols.`}
          type="password"
          autocomplete="new-password"
          required
        />
        <TextField
          {...field("password_confirmation")}
          type="password"
          autocomplete="new-password"
          required
        />
        <div class="form-actions">
          <Button look="primary">Create the account</Button>
        </div>
      </form>
    </GateShell>
  );
});

/** The configuration may say who the first admin is to be. */
function claimHelp(usernames: readonly string[]): string | undefined {
  if (usernames.length === 0) return undefined;
  return `The configuration names: ${usernames.join(", ")}.`;
}
