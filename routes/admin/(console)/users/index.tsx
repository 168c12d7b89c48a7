/** The API users: who holds a key, whether it works, what it may do. */
import { page } from "fresh";
import { ButtonLink } from "@/components/Button.tsx";
import { CopyBox } from "@/components/CopyBox.tsx";
import { EmptyState } from "@/components/EmptyState.tsx";
import { Notice } from "@/components/Notice.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { Pagination } from "@/components/Pagination.tsx";
import { Pill } from "@/components/Pill.tsx";
import { SearchForm } from "@/components/SearchForm.tsx";
import { type Column, Table } from "@/components/Table.tsx";
import { Time } from "@/components/Time.tsx";
import { defineAdmin } from "@/define.ts";
import type { Portico } from "@/gateway/portico.ts";
import type { ApiUser } from "@/gateway/records/user.ts";

const PAGE_SIZE = 50;

export const handler = defineAdmin.handlers({
  async GET(ctx) {
    const { searchParams } = ctx.url;
    const users = await ctx.state.portico.users.list({
      limit: PAGE_SIZE,
      cursor: searchParams.get("cursor") ?? undefined,
      search: searchParams.get("search") ?? "",
    });
    return page({ users, done: await doneWords(ctx.state.portico, searchParams) });
  },
});

/** What has just happened, with the name of whom it happened to. */
async function doneWords({ users }: Portico, params: URLSearchParams): Promise<string | null> {
  const done = params.get("done");
  if (done === "deleted") return "The API user is deleted, and the key refused from now on.";
  if (done !== "saved" && done !== "disabled") return null;
  const user = await users.find(params.get("user") ?? "");
  if (user === null) return null;
  const name = `${user.first_name} ${user.last_name}`;
  return done === "disabled"
    ? `${name} is disabled: calls with this key are refused within a second.`
    : `${name} is saved. Calls with the key go by it within a second.`;
}

const columns: readonly Column<ApiUser>[] = [
  {
    key: "email",
    title: "Email",
    cell: (user) => <a href={`/admin/users/${user.id}`}>{user.email}</a>,
  },
  { key: "name", title: "Name", cell: (user) => `${user.first_name} ${user.last_name}` },
  { key: "key", title: "Key", cell: (user) => <code>{user.api_key_preview}…</code> },
  {
    key: "status",
    title: "Status",
    cell: (user) =>
      user.enabled ? <Pill tone="ok">Enabled</Pill> : <Pill tone="bad">Disabled</Pill>,
  },
  { key: "roles", title: "Roles", cell: (user) => <code>{user.roles.join(", ")}</code> },
  { key: "created", title: "Since", cell: (user) => <Time at={user.created_at} /> },
];

export default defineAdmin.page<typeof handler>(function UsersPage({ data, state, url }) {
  const { users, done } = data;
  return (
    <>
      <PageHead
        title="API Users"
        siteName={state.portico.config.site_name}
        text="Whoever holds an API key, by sign-up or made here."
        action={<ButtonLink href="/admin/users/new" look="primary">Add an API user</ButtonLink>}
      />
      <div class="stack">
        {done !== null && <Notice tone="ok">{done}</Notice>}
        {users.total === 0 && !url.searchParams.has("search")
          ? <NoUsers baseUrl={state.client.baseUrl} />
          : <UserList users={users} url={url} />}
      </div>
    </>
  );
});

interface UserListProps {
  readonly users: {
    readonly items: readonly ApiUser[];
    readonly next_cursor: string | null;
    readonly total: number;
  };
  readonly url: URL;
}

function UserList({ users, url }: UserListProps) {
  return (
    <div>
      <SearchForm url={url} label="Email, name or start of the key" />
      {users.items.length === 0
        ? (
          <EmptyState
            title="Nobody found"
            text="No API user has this in the email address, the name or the start of the key."
          />
        )
        : (
          <div class="table-cards users-table">
            <Table
              caption="API users"
              columns={columns}
              rows={users.items}
              rowKey={(user) => user.id}
            />
          </div>
        )}
      <Pagination
        url={url}
        shown={users.items.length}
        total={users.total}
        nextCursor={users.next_cursor}
        noun={["API user", "API users"]}
      />
    </div>
  );
}

function NoUsers({ baseUrl }: { baseUrl: string }) {
  const line = `curl -X POST -H "Content-Type: application/json" -d ` +
    `'{"email":"you@example.com","first_name":"Your","last_name":"Name",` +
    `"terms_and_conditions":true}' "${baseUrl}/signup/"`;
  return (
    <EmptyState
      title="Nobody has a key yet"
      text={
        <>
          Callers get theirs on the <a href="/signup/">sign-up page</a>, or with one line:
        </>
      }
    >
      <CopyBox id="sign-up-line" text={line} label="curl line to sign up" />
    </EmptyState>
  );
}
