/** Admin tokens of whoever is signed in: list, make, lead on to revoke. */
import { page } from "fresh";
import { Button, ButtonLink } from "@/components/Button.tsx";
import { CopyBox } from "@/components/CopyBox.tsx";
import { ErrorSummary } from "@/components/ErrorSummary.tsx";
import { TextField } from "@/components/Field.tsx";
import type { FieldErrors } from "@/components/form_errors.ts";
import { Notice } from "@/components/Notice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { ShownOnce } from "@/components/ShownOnce.tsx";
import { type Column, Table } from "@/components/Table.tsx";
import { Time } from "@/components/Time.tsx";
import { defineAdmin } from "@/define.ts";
import type { AdminToken } from "@/gateway/records/admin.ts";
import { correctable, faultInit } from "../../../(_requests)/correctable.ts";
import { readForm } from "../../../(_requests)/form.ts";

interface Shown {
  readonly tokens: readonly AdminToken[];
  /** The token that was just made, in clear. */
  readonly made: { readonly name: string; readonly token: string } | null;
  readonly revoked: boolean;
  /** What was typed. */
  readonly name: string;
  readonly errors: FieldErrors;
}

export const handler = defineAdmin.handlers({
  async GET(ctx) {
    const { portico, admin } = ctx.state;
    return page<Shown>({
      tokens: await portico.tokens.list(admin),
      made: null,
      revoked: ctx.url.searchParams.get("done") === "revoked",
      name: "",
      errors: [],
    });
  },

  async POST(ctx) {
    const { portico, admin } = ctx.state;
    const { name = "" } = await readForm(ctx.req);
    try {
      const made = await portico.tokens.create(admin, { name });
      const tokens = await portico.tokens.list(admin);
      return page<Shown>({ tokens, made, revoked: false, name: "", errors: [] });
    } catch (error) {
      const fault = correctable(error);
      const tokens = await portico.tokens.list(admin);
      return page<Shown>(
        { tokens, made: null, revoked: false, name, errors: fault.errors },
        faultInit(fault),
      );
    }
  },
});

const columns: readonly Column<AdminToken>[] = [
  { key: "name", title: "Name", cell: (token) => token.name },
  { key: "token", title: "Token", cell: (token) => <code>{token.token_preview}</code> },
  { key: "created", title: "Made", cell: (token) => <Time at={token.created_at} /> },
  {
    key: "used",
    title: "Last used",
    cell: (token) =>
      token.last_used_at === null
        ? <span class="muted">never</span>
        : <Time at={token.last_used_at} />,
  },
  {
    key: "revoke",
    title: "Revoke",
    kind: "action",
    cell: (token) => (
      <ButtonLink href={`/admin/tokens/${token.id}/revoke`} look="danger" small>
        Revoke <span class="visually-hidden">{token.name}</span>
      </ButtonLink>
    ),
  },
];

export default defineAdmin.page<typeof handler>(function TokensPage({ data, state }) {
  const { tokens, made, revoked, name, errors } = data;
  return (
    <>
      <PageHead
        title="Admin tokens"
        siteName={state.portico.config.site_name}
        text={
          <>
            What scripts sign in with at the REST API, which{" "}
            <a href="/admin/api/openapi.json">its OpenAPI document</a>{" "}
            describes. A token may do all that you may.
          </>
        }
      />
      <div class="stack stack-wide">
        {revoked && <Notice tone="ok">The token is revoked and refused from now on.</Notice>}
        {made !== null && <MadeToken {...made} baseUrl={state.client.baseUrl} />}
        <form class="form card" method="post" action="/admin/tokens" noValidate>
          <ErrorSummary errors={errors} labels={() => "Name"} />
          <TextField
            name="name"
            label="Name of a new token"
            help="Says where it is used, so that you know later what revoking it stops."
            value={name}
            errors={errors}
            maxLength={255}
            autocomplete="off"
            required
          />
          <div class="form-actions">
            <Button look="primary">Make a token</Button>
          </div>
        </form>
        {tokens.length > 0 && (
          <div class="table-cards tokens-table">
            <Table
              caption="Your admin tokens"
              columns={columns}
              rows={tokens}
              rowKey={(token) => token.id}
            />
          </div>
        )}
      </div>
    </>
  );
});

interface MadeTokenProps {
  readonly name: string;
  readonly token: string;
  readonly baseUrl: string;
}

function MadeToken({ name, token, baseUrl }: MadeTokenProps) {
  const line = `curl -H "Authorization: Bearer ${token}" "${baseUrl}/admin/api/v1/backends"`;
  return (
    <section class="stack" aria-labelledby="made">
      <h2 id="made">The token “{name}”</h2>
      <ShownOnce id="token" secret={token} label="Admin token">
        Copy it now and keep it like a password.
      </ShownOnce>
      <CopyBox id="token-line" text={line} label="curl line with the token" />
    </section>
  );
}
